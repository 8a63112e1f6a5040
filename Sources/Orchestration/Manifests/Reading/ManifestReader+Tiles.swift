// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import StrictYAML
import Tiles

extension ManifestReader {
  /// Reads `tiles`: a list of kinds, or a mapping of such a list, a format and zooms.
  ///
  /// - Parameter isDrawable: Whether the terrain is known, or known to be unknown.
  package func tiles(_ value: YAMLValue?, isDrawable: Bool) -> Manifest.Tiles {
    guard let value else { return .init() }
    guard case .mapping = value.node.content, let reader = value.mapping() else {
      return Manifest.Tiles(layers: layers(value, .mbtiles, isDrawable))
    }
    let kinds = reader.value("kinds")
    let format = reader.value("format")?.choice().flatMap(TileArchiveFormat.init)
    let zooms = reader.value("zooms")
    reader.finish()
    return Manifest.Tiles(
      layers: kinds.map { layers($0, format ?? .mbtiles, isDrawable) } ?? [],
      zooms: zooms.flatMap(self.zooms))
  }

  private func layers(_ value: YAMLValue, _ format: TileArchiveFormat, _ isDrawable: Bool)
    -> [TileLayer]
  {
    var layers: [TileLayer] = []
    for item in value.list() ?? [] {
      guard let kind = item.choice().flatMap(TileLayer.Kind.init) else { continue }
      if layers.contains(where: { $0.kind == kind }) {
        item.refuse("appears twice: “\(kind.rawValue)”")
      } else if kind.isTerrain, !isDrawable {
        item.refuse(
          "cannot be drawn without elevation",
          hint: "add elevation: with folders of tiles, or remove “\(kind.rawValue)”")
      } else {
        layers.append(TileLayer(kind: kind, format: format))
      }
    }
    return layers
  }

  /// The first and the last zoom.
  private func zooms(_ value: YAMLValue) -> ClosedRange<Int>? {
    guard let list = value.list() else { return nil }
    let numbers = list.compactMap { $0.integer() }
    guard numbers.count == list.count else { return nil }
    if numbers.count == 2, numbers[0] <= numbers[1] { return numbers[0]...numbers[1] }
    value.refuse("must be the first and the last zoom: [8, 14]")
    return nil
  }
}

extension Manifest.Tiles {
  /// The zooms that tiles can be made for.
  package static let possibleZooms = 5...16
}
