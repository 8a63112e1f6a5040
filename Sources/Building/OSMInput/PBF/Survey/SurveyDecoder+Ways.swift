// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension SurveyDecoder {
  /// Decodes a way.
  mutating func decodeWay(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, info) = try fields.read(message, called: "way")
    let isDeleted = try readInfo(info)
    found.totals.ways.count += 1
    found.totals.ways.extend(id...id)
    recordOrder(type: 1, from: id, to: id)
    if isDeleted { found.totals.ways.deleted += 1 }
    do throws(CairnError) {
      if try readTags() { found.totals.ways.tagged += 1 }
      try readRefs()
    } catch { throw error.within("way \(id)") }
  }

  private mutating func readRefs() throws(CairnError) {
    var cursor = VarintCursor(fields.refs)
    var count = 0
    var (first, ref) = (0 as Int64, 0 as Int64)
    while !cursor.isAtEnd {
      guard let delta = cursor.next() else { throw cursor.failure }
      ref &+= zigzagDecoded(delta)
      if count == 0 { first = ref }
      count &+= 1
    }
    found.totals.refs += count
    if count > 1, first == ref { found.totals.closedWays += 1 }
    if fields.latitudes.isEmpty, fields.longitudes.isEmpty { return }
    guard VarintCursor.count(fields.latitudes) == count,
      VarintCursor.count(fields.longitudes) == count
    else { throw .badData(.arrayLengthsDisagree, "its numbers of refs and locations differ") }
  }

  /// Decodes a relation.
  mutating func decodeRelation(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, info) = try fields.read(message, called: "relation")
    let isDeleted = try readInfo(info)
    found.totals.relations.count += 1
    found.totals.relations.extend(id...id)
    recordOrder(type: 2, from: id, to: id)
    if isDeleted { found.totals.relations.deleted += 1 }
    do throws(CairnError) {
      if try readTags() { found.totals.relations.tagged += 1 }
      try readMembers()
    } catch { throw error.within("relation \(id)") }
  }

  private mutating func readMembers() throws(CairnError) {
    var roleCursor = VarintCursor(fields.roles)
    var idCursor = VarintCursor(fields.members)
    var typeCursor = VarintCursor(fields.types)
    let count = VarintCursor.count(fields.members)
    guard VarintCursor.count(fields.roles) == count,
      VarintCursor.count(fields.types) == count
    else {
      throw .badData(
        .arrayLengthsDisagree, "its numbers of members, types and roles differ")
    }
    let texts = UInt64(block.textCount)
    for _ in 0..<count {
      guard let role = roleCursor.next() else { throw roleCursor.failure }
      guard role < texts else { throw block.outOfRange(role) }
      guard idCursor.next() != nil else { throw idCursor.failure }
      guard let type = typeCursor.next() else { throw typeCursor.failure }
      guard type <= 2 else {
        throw .badData(.badField, "a member has the unknown type \(grouped(type))")
      }
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
    found.totals.members += count
  }
}
