// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics
import SystemIO

// The container format of .trails, .elevated and .graph files: columns of little-endian numbers,
// aligned to 64 bytes and listed in a table of sections, which are mapped into memory without
// parsing.
//
//   header       64 bytes, see ContainerHeader
//   columns      each at a multiple of 64 bytes
//   provenance   JSON
//   table        64 bytes per section: name, element type, CRC-32, count, offset
//
// Every byte that is read is covered by a CRC-32, so that a damaged file is refused when it is
// opened.

#if _endian(big)
  #error("the containers are read through mmap, which needs a little-endian machine")
#endif

/// The kinds of container, one for each file passed between stages.
package enum ContainerKind: String, Sendable, CaseIterable {
  /// Ways and nodes of a region, without elevation.
  case trails = "CAIRNTRL"
  /// The elevations of the ways and nodes of a `.trails` file.
  case elevated = "CAIRNELV"
  /// The routing graph.
  case graph = "CAIRNGRF"

  /// The format version that this build reads and writes. It increases when columns change.
  package var formatVersion: UInt32 {
    switch self {
    case .trails: 7
    case .elevated: 10
    case .graph: 6
    }
  }

  /// The usual file name extension.
  package var fileExtension: String {
    switch self {
    case .trails: "trails"
    case .elevated: "elevated"
    case .graph: "graph"
    }
  }

  /// The kind of a file that starts with these bytes, if it is a container.
  package init?(head: some Collection<UInt8>) {
    guard head.count >= 8 else { return nil }
    self.init(rawValue: String(decoding: head.prefix(8), as: UTF8.self))
  }
}

extension CairnError.Code {
  /// The file is not a container.
  package static let notAContainer: Self = "not-a-container"
  /// The file is a container of an unexpected kind.
  package static let wrongContainerKind: Self = "wrong-container-kind"
  /// The file has another format version.
  package static let wrongFormatVersion: Self = "wrong-format-version"
  /// A checksum, an offset or an index in the file is invalid.
  package static let damagedContainer: Self = "damaged-container"
}

/// The element types of columns.
public protocol ContainerElement: BitwiseCopyable, Sendable {
  /// The code of the type in the table of sections.
  static var elementTypeCode: UInt32 { get }
}

extension UInt8: ContainerElement {
  /// Code 1.
  public static let elementTypeCode: UInt32 = 1
}
extension Int32: ContainerElement {
  /// Code 2.
  public static let elementTypeCode: UInt32 = 2
}
extension UInt32: ContainerElement {
  /// Code 3.
  public static let elementTypeCode: UInt32 = 3
}
extension Int64: ContainerElement {
  /// Code 4.
  public static let elementTypeCode: UInt32 = 4
}
extension Float: ContainerElement {
  /// Code 5.
  public static let elementTypeCode: UInt32 = 5
}
extension Double: ContainerElement {
  /// Code 6.
  public static let elementTypeCode: UInt32 = 6
}

/// The size of an element in bytes and the name of its type, by type code.
let elementTypes: [UInt32: (bytes: Int, name: String)] = [
  1: (1, "UInt8"), 2: (4, "Int32"), 3: (4, "UInt32"), 4: (8, "Int64"), 5: (4, "Float32"),
  6: (8, "Float64"),
]

/// The layout of containers, and their limits.
enum ContainerHeader {
  static let byteCount = 64
  static let sectionRecordBytes = 64
  static let sectionNameBytes = 32
  /// The offset of a column's checksum in its record.
  static let checksumOffset = 36
  static let alignment = 64
  /// More sections than any version has.
  static let maximumSections = 256
  /// Far more than any provenance needs, which is a page of JSON.
  static let maximumProvenanceBytes = 1 << 20
}

/// The CRC-32 of zlib and gzip.
func crc32(_ bytes: UnsafeRawBufferPointer, continuing checksum: UInt32 = 0) -> UInt32 {
  bytes.isEmpty ? checksum : libdeflate_crc32(checksum, bytes.baseAddress, bytes.count)
}
