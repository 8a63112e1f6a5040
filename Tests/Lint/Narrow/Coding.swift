// SPDX-License-Identifier: Apache-2.0

/// Embedded Swift has no `Codable`; modules that declare it are imported with this one.
public protocol Encodable {}
/// See ``Encodable``.
public protocol Decodable {}
/// See ``Encodable``.
public typealias Codable = Encodable & Decodable
/// See ``Encodable``.
public protocol CodingKey {}
