// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

extension OpenDatabase {
  /// The edges to query.
  enum Selection {
    case byID(Int64)
    case fromNode(Int64)
    case toNode(Int64)
    case inBox(BoundingBox)

    var condition: String {
      switch self {
      case .byID: "e.id = ?1"
      case .fromNode: "e.from_node = ?1"
      case .toNode: "e.to_node = ?1"
      case .inBox:
        """
        e.from_node IN (\(Self.nodesInBox)) OR e.to_node IN (\(Self.nodesInBox)) ORDER BY e.id
        """
      }
    }

    var task: StatementKind.Task {
      switch self {
      case .byID: .edgesByID
      case .fromNode: .edgesFrom
      case .toNode: .edgesTo
      case .inBox: .edgesInBox
      }
    }

    private static let nodesInBox = """
      SELECT id FROM routing_nodes
      WHERE latitude BETWEEN ?2 AND ?3 AND longitude BETWEEN ?4 AND ?5
      """
  }

  /// The key of a generated statement.
  struct StatementKind {
    enum Task: Int, CaseIterable {
      case edgesByID, edgesFrom, edgesTo, edgesInBox, search, linesAtNode, lineOfEdge
      case hazards
    }

    var task: Task
    var isReversed = false
    var withDescription = false

    /// The number of kinds.
    static let count = 4 * Task.allCases.count
    /// Its number among all kinds, from 0.
    var number: Int { 4 * task.rawValue + (isReversed ? 2 : 0) + (withDescription ? 1 : 0) }
  }
}
