// SPDX-License-Identifier: Apache-2.0

/// A published elevation model that manifests know by name.
package struct ElevationPreset: Sendable {
  /// Its name in manifests.
  package let name: String
  /// The location of its tiles, see ``TilePattern``.
  let url: String
  /// Its licence.
  let licence: String
  /// The attribution to show with derived data.
  package let attribution: String

  /// All of them.
  package static let all = [copernicus30, skadi]

  /// The names of all of them.
  package static let names = all.map(\.name)

  /// Copernicus GLO-30: a surface model of 1″ of all land except for a few countries.
  private static let copernicus30 = ElevationPreset(
    name: "copernicus-30",
    url: "https://copernicus-dem-30m.s3.amazonaws.com"
      + "/Copernicus_DSM_COG_10_{lat-band}_00_{lon-band}_00_DEM"
      + "/Copernicus_DSM_COG_10_{lat-band}_00_{lon-band}_00_DEM.tif",
    licence: "Copernicus DEM licence",
    attribution:
      "produced using Copernicus WorldDEM-30 © DLR e.V. 2010-2014 and © Airbus Defence and "
      + "Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights "
      + "reserved")

  /// The terrain tiles that Mapzen made of several models, as HGT tiles of 1″.
  private static let skadi = ElevationPreset(
    name: "skadi",
    url: "https://s3.amazonaws.com/elevation-tiles-prod/skadi/{lat-band}/{tile}.hgt.gz",
    licence: "those of its sources",
    attribution: [
      "terrain tiles by Mapzen",
      "3DEP, SRTM and GMTED2010 courtesy of the U.S. Geological Survey",
      "ETOPO1 by the U.S. National Oceanic and Atmospheric Administration",
      "© Crown copyright, Land Information New Zealand and the New Zealand Government",
      "© Environment Agency copyright and/or database right 2015",
      "© offene Daten Österreichs – Digitales Geländemodell (DGM) Österreich", "© Kartverket",
      "ArcticDEM by DigitalGlobe, Inc., funded under National Science Foundation awards 1043681, "
        + "1559691 and 1542736",
      "produced using Copernicus data and information funded by the European Union – EU-DEM layers",
      "contains information licensed under the Open Government Licence – Canada",
      "INEGI, Continental relief, 2016",
    ].joined(separator: ", "))

  /// The URL of its tiles on a mirror with the same paths.
  func url(on mirror: String?) -> String {
    guard let mirror, let scheme = url.firstRange(of: "://"),
      let slash = url[scheme.upperBound...].firstIndex(of: "/")
    else { return url }
    return (mirror.hasSuffix("/") ? String(mirror.dropLast()) : mirror) + url[slash...]
  }
}
