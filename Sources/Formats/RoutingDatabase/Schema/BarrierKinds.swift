// SPDX-License-Identifier: Apache-2.0

/// The kinds of barriers that separate ways in a database: the value of the tag `barrier` by
/// OpenStreetMap node. In the metadata it is a text such as `fence=7;wall=101,202`.
package struct BarrierKinds: Equatable, Sendable {
  private var kinds: [Int64: String] = [:]

  /// No barrier.
  package init() {}

  /// Reads the text; anything else in it is left out.
  package init(_ text: String) {
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { continue }
      for node in sides[1].split(separator: ",") {
        if let node = Int64(node) { self[node] = String(sides[0]) }
      }
    }
  }

  /// The text; empty if there is no barrier.
  package var text: String {
    Dictionary(grouping: kinds.keys) { kinds[$0] ?? "" }.sorted { $0.key < $1.key }.map {
      "\($0.key)=\($0.value.sorted().map(String.init).joined(separator: ","))"
    }.joined(separator: ";")
  }

  /// The kind of the barrier at a node or a copy of it. Since tags are free text, only lower-case
  /// letters and underscores are accepted.
  package subscript(node: Int64) -> String? {
    get { kinds[RoutingNode.openStreetMapID(node)] }
    set {
      let isWord = newValue.map {
        (1...40).contains($0.utf8.count)
          && $0.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz_".utf8.contains($0) }
      }
      kinds[RoutingNode.openStreetMapID(node)] = isWord == true ? newValue : nil
    }
  }
}

extension RoutingStore {
  /// The kinds of the barriers that separate ways, so far as the database says.
  package func barrierKinds() throws(RoutingError) -> BarrierKinds {
    try metadata()[RoutingMetadataKey.barriers].map { BarrierKinds($0) } ?? BarrierKinds()
  }
}
