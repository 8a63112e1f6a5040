// SPDX-License-Identifier: Apache-2.0

/// The metadata keys common to all databases of a bundle.
package enum SharedMetadataKey {
  /// The version of the schema.
  package static let version = "version"
  /// The time of the OpenStreetMap data, ISO 8601, or `unknown`.
  package static let osmDataDate = "osm_data_date"
  /// `west,south,east,north` of everything in the database, degrees.
  package static let boundingBox = "bounding_box"
  /// The tool and its version.
  package static let generator = "generator"
  /// The attribution to show with the data.
  package static let attribution = "attribution"
  /// The licence of the data.
  package static let licence = "license"
  /// The shape of the region, `everything` for a whole source.
  package static let region = "region"
  /// The id of the region, if given.
  package static let regionID = "region_id"
  /// The display name of the region, if given.
  package static let regionName = "region_name"
  /// The SHA-256 of the OpenStreetMap source.
  package static let sourceDigest = "source_sha256"
}
