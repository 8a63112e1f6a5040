// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The features of a GeoJSON FeatureCollection, each of which can be a region of its own.
package struct RegionFeatures: Sendable {
  /// A feature: its properties and its polygons, which are not validated yet.
  private struct Feature: Decodable, Sendable {
    /// A property that can be an id or a name.
    struct Label: Decodable, Sendable {
      var text: String?

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
          text = "\(number)"
        } else {
          text = try? value.decode(String.self)
        }
      }
    }

    private enum Key: CodingKey {
      case id
      case properties
      case geometry
    }

    var labels: [String: String]
    var polygons: [[[[Double]]]]

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      let properties = try object.decodeIfPresent([String: Label].self, forKey: .properties) ?? [:]
      labels = properties.compactMapValues(\.text)
      if labels["id"] == nil {
        labels["id"] = try object.decodeIfPresent(Label.self, forKey: .id)?.text
      }
      polygons = try object.decodeIfPresent(GeoJSON.self, forKey: .geometry)?.polygons ?? []
    }
  }

  private struct Collection: Decodable {
    var type: String
    var features: [Feature]
  }

  private let path: String
  private let features: [Feature]

  /// Reads a file. Throws 66 if it cannot be read and 65 if it is not a FeatureCollection.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    let bytes = try InputFile(path).readAll(limit: RegionFile.maximumBytes)
    do throws(CairnError) {
      let hint = "expected a FeatureCollection with one feature per region"
      let collection = try RegionFile.decode(Collection.self, bytes, hint: hint)
      guard collection.type == "FeatureCollection" else {
        throw .badData(.badRegion, "is not a FeatureCollection", hint: hint)
      }
      features = collection.features
    } catch { throw error.located(inFile: path) }
  }

  /// The number of features.
  package var count: Int { features.count }

  /// A property of a feature, counted from 1, that is a text or an integer; for `id` also the id of
  /// the feature itself. Nil if there is none.
  package func label(_ name: String, of number: Int) -> String? {
    features.indices.contains(number - 1) ? features[number - 1].labels[name] : nil
  }

  /// The region of a feature, counted from 1, named by the digest of its corners.
  ///
  /// Throws 65 if the feature is missing, has no polygon or an invalid one.
  package func region(_ number: Int) throws(CairnError) -> Region {
    guard number >= 1, number <= features.count else {
      throw CairnError(
        .badRegion, .dataError,
        "has \(grouped(features.count)) features, but no feature \(number)",
        at: Location(file: path))
    }
    do throws(CairnError) {
      return try RegionFile.region(try RegionFile.areas(features[number - 1].polygons))
    } catch {
      throw CairnError(
        error.code, error.exitCode, error.message,
        at: Location(file: path, .object("feature \(number)")), hint: error.hint)
    }
  }
}

/// Reads the region files of a command line, each file of features only once.
final class FeatureCache {
  private var collections: [String: Result<RegionFeatures, CairnError>] = [:]

  /// Reads a file of one region, or one feature of a file as `FILE#3`.
  ///
  /// Throws as ``RegionFile`` and ``RegionFeatures`` do.
  func read(_ word: String) throws(CairnError) -> Region {
    guard let mark = word.lastIndex(of: "#"), let number = Int(word[word.index(after: mark)...]),
      !pathExists(word)
    else { return try RegionFile.read(word) }
    let path = String(word[..<mark])
    let collection =
      collections[path] ?? Result { () throws(CairnError) in try RegionFeatures(path) }
    collections[path] = collection
    return try collection.get().region(number)
  }
}
