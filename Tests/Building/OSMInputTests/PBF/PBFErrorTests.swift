// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import OSMInput

@Suite("Invalid PBF files")
struct PBFErrorTests {
  private let map = SmallMap.valley

  /// The frame of a block with the nodes and ways of the map.
  private func dataFrame(_ form: BlobForm = BlobForm()) -> [UInt8] {
    var block = BlockWriter()
    block.addDense(map.nodes)
    block.add(map.ways)
    return block.frame(form)
  }

  private func expect(
    _ code: CairnError.Code, _ bytes: [UInt8], says words: String = "",
    _ source: SourceLocation = #_sourceLocation
  ) {
    let error = failure { try parsePBF(bytes) }
    #expect(error?.code == code, sourceLocation: source)
    #expect(error?.exitCode == .dataError, sourceLocation: source)
    #expect(error?.location?.file.hasSuffix("map.osm.pbf") == true, sourceLocation: source)
    #expect(
      words.isEmpty || error?.description.contains(words) == true, "\(error as Any)",
      sourceLocation: source)
  }

  /// A file whose only block has one group of one message.
  private func file(group field: UInt64, _ message: Message) -> [UInt8] {
    var block = BlockWriter()
    block.add(map.ways)
    block.addGroup(field, [message.bytes])
    return headerFrame() + block.frame()
  }

  @Test("a valid file is read, so the tests below fail for what they change")
  func valid() throws {
    let extract = try parsePBF(headerFrame() + dataFrame())
    #expect(extract.content.wayIDs == [10, 11])
  }

  @Test("an empty file is an error")
  func empty() { expect(.emptyFile, [], says: "is empty") }

  @Test("a file of another kind is distinguished from a damaged one")
  func otherKind() {
    expect(.badBlobHeaderSize, Array("<?xml version='1.0'?><osm/>".utf8), says: "parse-overpass")
    expect(.badBlobHeaderSize, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0], says: "parse-overpass")
    expect(.badBlobHeaderSize, Array("SQLite format 3".utf8), says: "not a PBF file")
  }

  @Test("an invalid size of a blob header is an error")
  func blobHeaderSize() {
    expect(.badBlobHeaderSize, headerFrame() + [0, 1, 0, 1] + dataFrame(), says: "65\u{A0}537")
    expect(.badBlobHeaderSize, headerFrame() + [0, 0, 0, 0] + dataFrame())
  }

  @Test("an invalid size of a blob is an error")
  func dataSize() {
    expect(
      .badDataSize, headerFrame() + dataFrame(BlobForm(dataSize: 40_000_000)),
      says: "40\u{A0}000\u{A0}000")
    expect(.badDataSize, headerFrame() + dataFrame(BlobForm(dataSize: -1)))
  }

  @Test("a compressed blob without its uncompressed size is an error")
  func missingRawSize() {
    expect(.missingRawSize, headerFrame() + dataFrame(BlobForm(hasRawSize: false)))
    expect(
      .missingRawSize, headerFrame() + dataFrame(BlobForm(rawSize: 40_000_000)),
      says: "40\u{A0}000\u{A0}000 bytes uncompressed, the format allows 33\u{A0}554\u{A0}432")
    expect(.missingRawSize, headerFrame() + dataFrame(BlobForm(rawSize: -5)))
  }

  @Test("a unit of coordinates or times that is not positive is an error")
  func granularity() {
    for unit in [0, -100, Int64.min, 1 << 31] {
      var block = BlockWriter()
      block.add(map.ways)
      block.granularity = unit
      expect(.badGranularity, headerFrame() + block.frame(), says: "must be positive")
      block.granularity = nil
      block.dateGranularity = unit
      expect(.badGranularity, headerFrame() + block.frame(), says: "date_granularity")
    }
  }

  @Test("a blob that is compressed better than any map is refused before it takes memory")
  func implausibleRatio() {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    expect(
      .missingRawSize, headerFrame() + BlobForm().frame(zeros), says: "no map compresses so well")
    // Small blobs of equal objects may be.
    let small = [UInt8](repeating: 0, count: 60_000)
    expect(.badField, headerFrame() + BlobForm().frame(small))
  }

  @Test("a block of millions of empty texts, tables or groups is refused")
  func oversizedBlock() {
    let ways = SmallMap.valley.ways
    var block = BlockWriter()
    block.add(ways)
    /// Fields without content, one after another.
    func empty(_ field: UInt8, count: Int) -> [UInt8] {
      Array(repeatElement([field << 3 | 2, 0], count: count).joined())
    }
    var table = Message()
    table.data(1, empty(1, count: PrimitiveBlock.maximumTexts + 1))
    let form = BlobForm(isCompressed: false)
    expect(
      .blockTooLarge, headerFrame() + form.frame(block.bytes + table.bytes),
      says: "more than 2\u{A0}097\u{A0}152 texts")
    for field: UInt8 in [1, 2] {
      let many = empty(field, count: PrimitiveBlock.maximumGroups + 1)
      expect(
        .blockTooLarge, headerFrame() + form.frame(block.bytes + many),
        says: "groups or string tables")
    }
  }

  @Test("a blob that does not decompress to its stated size is an error")
  func rawSizeMismatch() {
    expect(.rawSizeMismatch, headerFrame() + dataFrame(BlobForm(rawSize: 10)), says: "has more")
    expect(
      .rawSizeMismatch, headerFrame() + dataFrame(BlobForm(rawSize: 60_000)), says: "60\u{A0}000")
  }

  @Test("damaged compressed data is an error")
  func damagedCompression() {
    var frame = dataFrame()
    frame[frame.count - 20] ^= 0xff
    expect(.damagedCompression, headerFrame() + frame)
  }

  @Test(
    "unsupported compressions are named",
    arguments: [(4, "lzma"), (5, "bzip2")] as [(UInt64, String)])
  func compression(field: UInt64, name: String) {
    expect(
      .unknownCompression, headerFrame() + dataFrame(BlobForm(contentField: field)), says: name)
  }

  @Test("the error of a truncated file has its byte offset")
  func truncated() {
    let whole = headerFrame() + dataFrame()
    for count in [whole.count - 1, headerFrame().count + 2, headerFrame().count + 10] {
      expect(
        .truncatedFile, Array(whole.prefix(count)), says: "at byte \(count): the file ends here")
    }
    expect(.truncatedFile, [0, 0], says: "at byte 2")
  }

  @Test("an unknown required feature is an error")
  func requiredFeature() {
    let header = headerFrame(required: ["OsmSchema-V0.6", "NewDimension"])
    expect(.unknownRequiredFeature, header + dataFrame(), says: "NewDimension")
  }

  @Test("a file without a header is an error")
  func noHeader() { expect(.missingField, dataFrame(), says: "OSMHeader") }

  @Test("a tag that refers to a text outside the string table is an error")
  func stringIndex() {
    var way = Message()
    way.number(1, 7)
    way.packed(2, [1])
    way.packed(3, [1])
    way.packed(2, [999])
    way.packed(3, [1])
    expect(.stringIndexOutOfRange, file(group: 3, way), says: "way 7")
  }

  @Test("keys and values that differ in number are an error")
  func keysAndValues() {
    var way = Message()
    way.number(1, 7)
    way.packed(2, [1, 2])
    way.packed(3, [1])
    expect(.arrayLengthsDisagree, file(group: 3, way), says: "way 7: 2 keys, but 1 values")
  }

  @Test("ids and coordinates that differ in number are an error")
  func coordinates() {
    for short in [8, 9] as [UInt64] {
      var dense = Message()
      dense.packed(1, deltas([1, 2]))
      dense.packed(8, deltas(short == 8 ? [0] : [0, 1]))
      dense.packed(9, deltas(short == 9 ? [0] : [0, 1]))
      expect(.arrayLengthsDisagree, file(group: 2, dense), says: "2 ids, but 1")
    }
  }

  @Test("dense tags of more or fewer nodes than ids are an error")
  func denseTags() {
    for tags in [[1, 2, 0], [1, 2, 0, 1, 2, 0, 1, 2, 0]] as [[UInt64]] {
      var dense = Message()
      dense.packed(1, deltas([1, 2]))
      dense.packed(8, deltas([0, 1]))
      dense.packed(9, deltas([0, 1]))
      dense.packed(10, tags)
      expect(.arrayLengthsDisagree, file(group: 2, dense), says: "the tags of")
    }
  }

  @Test("locations and refs of a way that differ in number are an error")
  func locationsOnWays() {
    var way = Message()
    way.number(1, 7)
    way.packed(2, [1])
    way.packed(3, [2])
    way.packed(8, deltas([1, 2]))
    way.packed(9, deltas([1]))
    way.packed(10, deltas([1, 2]))
    var block = Message()
    var table = Message()
    for text in ["", "highway", "path"] { table.text(1, text) }
    var group = Message()
    group.data(3, way.bytes)
    block.data(1, table.bytes)
    block.data(2, group.bytes)
    expect(.arrayLengthsDisagree, headerFrame() + BlobForm().frame(block.bytes), says: "way 7")
  }

  @Test("overlong varints and fields past the end of a block are errors")
  func brokenFields() {
    var overlong = Message()
    overlong.raw([0x08] + [UInt8](repeating: 0xff, count: 11))
    expect(.overlongVarint, file(group: 3, overlong), says: "at byte")
    var past = Message()
    past.raw([0x12, 100, 1])
    expect(.fieldPastEnd, file(group: 3, past))
    var noID = Message()
    noID.packed(8, [2, 2])
    expect(.missingField, file(group: 3, noID), says: "without an id")
  }

  @Test("a file without a routable way is an error")
  func nothingRoutable() {
    var map = SmallMap.valley
    map.ways.removeAll { $0.id < 12 }
    expect(.noRoutableWays, map.pbf)
    expect(.noRoutableWays, headerFrame())
  }

  @Test("of several invalid blobs the first is reported, for any number of threads")
  func firstError() {
    let valid = dataFrame()
    let bytes =
      headerFrame() + valid + dataFrame(BlobForm(rawSize: 10)) + valid
      + dataFrame(BlobForm(hasRawSize: false)) + dataFrame(BlobForm(contentField: 7))
    for threads in [1, 2, 4] {
      let error = failure { try parsePBF(bytes, threads: threads) }
      #expect(error?.code == .rawSizeMismatch)
      #expect(error?.location?.position == .byte(headerFrame().count + valid.count))
    }
  }
}
