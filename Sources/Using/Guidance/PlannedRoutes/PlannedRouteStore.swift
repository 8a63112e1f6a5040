// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Planned routes in a folder, one JSON file each, named by the route's id.
///
/// A file appears whole or not at all. A file that cannot be decoded is renamed, so that it is out of
/// the way but not lost. May be used from any thread; two processes may share a folder.
public final class PlannedRouteStore: Sendable {
  /// A file that should be a planned route but cannot be decoded.
  public struct Damage: Hashable, Sendable {
    /// Its name.
    public var fileName: String
    /// Its new name; nil if it was not renamed.
    public var setAsideAs: String?
    /// What is wrong with it.
    public var reason: String
  }

  /// Why a store cannot read or write.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder cannot be read or created.
    case folder(path: String, reason: String)
    /// A route's file cannot be written or removed.
    case file(path: String, reason: String)
    /// There is no route with this id.
    case notFound(UUID)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .folder(let path, let reason), .file(let path, let reason): "\(path): \(reason)"
      case .notFound(let id): "there is no route \(id.uuidString)"
      }
    }
  }

  /// Larger files are not read: a route across a continent has a tenth of this.
  public static let maximumFileBytes = 64 << 20

  /// The path of the folder.
  public let folder: String
  private let state = Mutex<[PlannedRoute]>([])
  private static let ending = ".json"

  /// Makes a store for a folder, which need not exist; nothing is read yet.
  public init(folder: String) { self.folder = folder }

  /// The routes as last read or saved, the newest first.
  public var routes: [PlannedRoute] { state.withLock { $0 } }

  /// Reads all files and returns the damaged ones, sorted by name.
  ///
  /// A file without permission to read it counts as damaged and keeps its name. A folder that does
  /// not exist has no routes. Throws ``Failure/folder(path:reason:)``.
  @discardableResult
  public func loadAll() throws(Failure) -> [Damage] {
    guard FileManager.default.fileExists(atPath: folder) else {
      state.withLock { $0 = [] }
      return []
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .folder(path: folder, reason: Self.text(error))
    }
    var routes: [UUID: PlannedRoute] = [:]
    var damages: [Damage] = []
    for name in names.sorted() where name.hasSuffix(Self.ending) && !name.hasPrefix(".") {
      do {
        let route = try PlannedRoute(json: try contents(name))
        // A copy under another name: the route's own file counts.
        if routes[route.id] == nil || name == Self.fileName(route.id) { routes[route.id] = route }
      } catch let error as DecodingError {
        damages.append(setAside(name, Self.text(error)))
      } catch let error as TooLarge {
        damages.append(setAside(name, error.description))
      } catch {
        damages.append(Damage(fileName: name, setAsideAs: nil, reason: Self.text(error)))
      }
    }
    let sorted = routes.values.sorted(by: Self.isBefore)
    state.withLock { $0 = sorted }
    return damages
  }

  /// Writes a route, replacing an earlier one with the same id. Creates the folder if necessary.
  ///
  /// Throws ``Failure/folder(path:reason:)`` or ``Failure/file(path:reason:)``.
  public func save(_ route: PlannedRoute) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: nil)
    } catch { throw .folder(path: folder, reason: Self.text(error)) }
    let path = self.path(Self.fileName(route.id))
    do { try route.json().write(to: URL(filePath: path), options: .atomic) } catch {
      throw .file(path: path, reason: Self.text(error))
    }
    state.withLock { routes in
      routes.removeAll { $0.id == route.id }
      let index = routes.firstIndex { Self.isBefore(route, $0) } ?? routes.endIndex
      routes.insert(route, at: index)
    }
  }

  /// Deletes a route. Throws ``Failure/notFound(_:)`` or ``Failure/file(path:reason:)``.
  public func delete(id: UUID) throws(Failure) {
    let path = self.path(Self.fileName(id))
    guard FileManager.default.fileExists(atPath: path) else { throw .notFound(id) }
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw .file(path: path, reason: Self.text(error))
    }
    state.withLock { $0.removeAll { $0.id == id } }
  }

  private struct TooLarge: Error, CustomStringConvertible {
    var description: String { "has more than \(PlannedRouteStore.maximumFileBytes) bytes" }
  }

  private func contents(_ name: String) throws -> Data {
    let path = self.path(name)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    guard (size ?? 0) <= Self.maximumFileBytes else { throw TooLarge() }
    return try Data(contentsOf: URL(filePath: path))
  }

  private func setAside(_ name: String, _ reason: String) -> Damage {
    for number in 1...1000 {
      let target = name + (number == 1 ? ".damaged" : ".damaged-\(number)")
      guard !FileManager.default.fileExists(atPath: path(target)) else { continue }
      // moveItem never replaces an existing file.
      do {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(target))
        return Damage(fileName: name, setAsideAs: target, reason: reason)
      } catch { break }
    }
    return Damage(fileName: name, setAsideAs: nil, reason: reason)
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  private static func fileName(_ id: UUID) -> String { id.uuidString + ending }

  /// The newest first; those of the same second by id.
  private static func isBefore(_ route: PlannedRoute, _ other: PlannedRoute) -> Bool {
    route.createdAt == other.createdAt
      ? route.id.uuidString < other.id.uuidString : route.createdAt > other.createdAt
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      let reason = context.debugDescription
      let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
      return place.isEmpty ? sentence : "\(place.joined(separator: ".")): \(sentence)"
    case let error as CocoaError:
      return error.userInfo["NSUnderlyingError"].map { "\($0)" } ?? "\(error)"
    default: return "\(error)"
    }
  }
}

extension PlannedRouteStore.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .folder: "The folder of planned routes cannot be used."
    case .file: "The planned route cannot be saved or deleted."
    case .notFound: "The planned route no longer exists."
    }
  }

  /// The path and why it failed, or the id that does not exist.
  public var failureReason: String? { description }
}
