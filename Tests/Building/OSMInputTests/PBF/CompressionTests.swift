// SPDX-License-Identifier: Apache-2.0
import CLZ4
import CZstd
import CairnDiagnostics
import Testing

@testable import OSMInput

private func lz4Compressed(_ bytes: [UInt8]) -> [UInt8] {
  let capacity = LZ4_compressBound(Int32(bytes.count))
  var output = [CChar](repeating: 0, count: Int(capacity))
  let count = bytes.withUnsafeBytes {
    LZ4_compress_default($0.baseAddress, &output, Int32(bytes.count), capacity)
  }
  return output.prefix(Int(count)).map(UInt8.init(bitPattern:))
}

private func zstdCompressed(_ bytes: [UInt8]) -> [UInt8] {
  var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
  let count = ZSTD_compress(&output, output.count, bytes, bytes.count, 3)
  return Array(output.prefix(count))
}

/// A compression of blobs, and the number of its field.
private enum Method: CaseIterable {
  case zlib
  case lz4
  case zstd

  var field: UInt64 {
    switch self {
    case .zlib: 3
    case .lz4: 6
    case .zstd: 7
    }
  }

  func compressed(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .zlib: zlibCompressed(bytes)
    case .lz4: lz4Compressed(bytes)
    case .zstd: zstdCompressed(bytes)
    }
  }
}

@Suite("Compressed blobs")
struct CompressionTests {
  /// The frame of a data blob with the given compressed data.
  private func frame(_ method: Method, _ data: [UInt8], rawSize: Int) -> [UInt8] {
    var blob = Message()
    blob.number(2, UInt64(rawSize))
    blob.data(method.field, data)
    var header = Message()
    header.text(1, "OSMData")
    header.number(3, UInt64(blob.bytes.count))
    return [0, 0, 0, UInt8(header.bytes.count)] + header.bytes + blob.bytes
  }

  private var block: [UInt8] {
    var block = BlockWriter()
    block.addDense(SmallMap.valley.nodes)
    block.add(SmallMap.valley.ways)
    return block.bytes
  }

  @Test("every compression gives the same content", arguments: Method.allCases)
  private func roundTrip(method: Method) throws {
    let data = method.compressed(block)
    let extract = try parsePBF(headerFrame() + frame(method, data, rawSize: block.count))
    let plain = try parsePBF(headerFrame() + BlobForm(isCompressed: false).frame(block))
    #expect(extract == plain)
  }

  @Test(
    "a blob that decompresses to more than its stated size is refused", arguments: Method.allCases)
  private func tooMuch(method: Method) {
    let bomb = method.compressed([UInt8](repeating: 0, count: 8 << 20))
    let error = failure { try parsePBF(headerFrame() + frame(method, bomb, rawSize: 100)) }
    let codes: [CairnError.Code] = [.rawSizeMismatch, .damagedCompression]
    #expect(codes.contains(error?.code ?? ""), "\(error as Any)")
    #expect(error?.location?.file.hasSuffix("map.osm.pbf") == true)
  }

  @Test(
    "a blob that decompresses to less than its stated size is refused", arguments: Method.allCases)
  private func tooLittle(method: Method) {
    let data = method.compressed(block)
    let error = failure {
      try parsePBF(headerFrame() + frame(method, data, rawSize: block.count + 1))
    }
    #expect(error?.code == .rawSizeMismatch)
  }

  @Test("damaged data is refused", arguments: Method.allCases)
  private func damaged(method: Method) {
    let data = Array(method.compressed(block).prefix(40))
    let error = failure { try parsePBF(headerFrame() + frame(method, data, rawSize: block.count)) }
    #expect(error?.code == .damagedCompression)
  }

  @Test("an empty blob is refused", arguments: Method.allCases)
  private func empty(method: Method) {
    let error = failure { try parsePBF(headerFrame() + frame(method, [], rawSize: 10)) }
    #expect(error?.code == .rawSizeMismatch)
  }
}
