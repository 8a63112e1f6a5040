// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CairnRouting

@Suite("What is known of the paths over a node")
struct ArcPairsTests {
  @Test("findings follow their arcs whatever arcs come, change and go, and none is made up")
  func findings() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var pairs = ArcPairs()
      // The same by the indices of both arcs, which may be beyond those that are kept.
      var model: [[Bool?]] = []
      var columns = 0
      for _ in 0..<300 {
        let (row, column) = (
          Int.random(in: 0..<max(1, model.count), using: &random),
          Int.random(in: 0..<max(1, columns), using: &random)
        )
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where model.count < 12:
          pairs.forget(incoming: model.count)
          model.append(Array(repeating: nil, count: columns))
        case 1 where columns < 12:
          pairs.forget(outgoing: columns)
          columns += 1
          for row in model.indices { model[row].append(nil) }
        case 2 where !model.isEmpty:
          pairs.forget(incoming: row)
          model[row] = Array(repeating: nil, count: columns)
        case 3 where columns > 0:
          pairs.forget(outgoing: column)
          for row in model.indices { model[row][column] = nil }
        case 4 where !model.isEmpty:
          pairs.replace(incoming: row, byLast: model.count - 1)
          model.swapAt(row, model.count - 1)
          model.removeLast()
        case 5 where columns > 0:
          columns -= 1
          pairs.replace(outgoing: column, byLast: columns)
          for row in model.indices {
            model[row].swapAt(column, columns)
            model[row].removeLast()
          }
        default:
          guard !model.isEmpty, columns > 0 else { continue }
          let isNeeded = Bool.random(using: &random)
          pairs[row, column] = isNeeded
          model[row][column] = row < 8 && column < 8 ? isNeeded : nil
        }
        for row in model.indices {
          for column in 0..<columns {
            #expect(pairs[row, column] == model[row][column], "seed \(seed)")
          }
        }
      }
    }
  }
}
