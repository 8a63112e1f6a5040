// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import SystemIO
import XMLKit

/// Statistics of an OpenStreetMap XML file or of a file of changes (osmChange), found by reading
/// every object in it.
package struct XMLSurvey: Sendable {
  /// Whether it is a change file.
  package let hasChanges: Bool
  /// The size of the file in bytes.
  package let fileBytes: Int
  /// The program that wrote it, if it says so.
  package let writingProgram: String?
  /// The time of the data, if the file states it.
  package let dataTimestamp: String?
  /// The box that the file states, in 10⁻⁷ degrees.
  package let statedBounds: PBFSurvey.Bounds?
  /// Overpass's error remark: the data is incomplete.
  package let remark: String?
  /// The nodes; of changes, those of all three kinds.
  package let nodes: PBFSurvey.Objects
  /// The ways.
  package let ways: PBFSurvey.Objects
  /// The relations.
  package let relations: PBFSurvey.Objects
  /// The number of refs of all ways.
  package let refs: Int
  /// The number of refs with the coordinates of their nodes (`out geom`).
  package let locatedRefs: Int
  /// The number of ways that end where they begin.
  package let closedWays: Int
  /// The number of members of all relations.
  package let members: Int
  /// The number of tags of all objects.
  package let tags: Int
  /// The bounding box of all valid coordinates; nil if there are none.
  package let bounds: PBFSurvey.Bounds?
  /// The time of the oldest version as ISO 8601 in UTC, if the file contains times.
  package let oldestVersion: String?
  /// The time of the newest version as ISO 8601 in UTC, if the file contains times.
  package let newestVersion: String?
  /// Whether nodes come before ways before relations, each with ascending ids.
  package let isSorted: Bool
  /// The tallies of the requested keys, in their order.
  package let tallies: [PBFSurvey.Tally]

  /// Reads a whole file, plain or compressed with gzip. Throws 66 if it cannot be read, 65 with line
  /// and column if it is not OpenStreetMap XML, 74 if reading fails.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - keys: The keys whose values to count.
  package init(_ path: String, tallying keys: [String] = []) throws(CairnError) {
    do throws(CairnError) {
      let file = try InputFile(path)
      let reader = try XMLSurveyReader(tallying: keys)
      try reader.parse(try XMLSource(file), file: path) { _ in }
      self.init(reader, keys, fileBytes: file.size)
    } catch { throw error.located(inFile: path) }
  }

  private init(_ reader: XMLSurveyReader, _ keys: [String], fileBytes: Int) {
    self.fileBytes = fileBytes
    hasChanges = reader.hasChanges
    (writingProgram, dataTimestamp) = (reader.writingProgram, reader.dataTimestamp)
    statedBounds = reader.statedBounds
    remark = reader.remark
    let totals = reader.totals
    (nodes, ways, relations) = (totals.nodes, totals.ways, totals.relations)
    (refs, locatedRefs, closedWays) = (totals.refs, reader.locatedRefs, totals.closedWays)
    (members, tags, bounds) = (totals.members, totals.tags, totals.bounds)
    (oldestVersion, newestVersion) = (reader.oldest, reader.newest)
    isSorted = reader.isSorted
    tallies = keys.map { key in
      let values = reader.values[key, default: [:]].sorted {
        $0.value != $1.value
          ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
      }
      return .init(key: key, values: values.map { ($0.key, $0.value) })
    }
  }
}
