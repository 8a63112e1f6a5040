// SPDX-License-Identifier: Apache-2.0

/// Who passes a node by its tags.
public struct BarrierPassage: Equatable, Sendable {
  /// Whether walkers pass.
  public var foot: Bool
  /// Whether cyclists pass.
  public var bicycle: Bool

  private static let solid: Set<String> = ["fence", "wall", "hedge", "ditch"]
  private static let closed: Set<String> = ["no", "private"]

  /// What the tags of a node say.
  public init(_ tags: WayTags) {
    let isOpen = !Self.solid.contains(tags["barrier"] ?? "")
    func passes(_ key: String) -> Bool {
      (tags[key] ?? tags["access"]).map { !Self.closed.contains($0) } ?? isOpen
    }
    foot = passes("foot")
    bicycle = passes("bicycle")
  }
}
