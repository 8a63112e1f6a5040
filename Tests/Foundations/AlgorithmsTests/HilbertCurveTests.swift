// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("The curve of Hilbert")
struct HilbertCurveTests {
  @Test("it goes from each cell to a neighbour, through all of them", arguments: 1...6)
  func neighbours(order: Int) {
    var last = HilbertCurve.cell(at: 0, order: order)
    #expect(last == (0, 0))
    for position in 0..<UInt64(1) << UInt64(2 * order) {
      let cell = HilbertCurve.cell(at: position, order: order)
      #expect(HilbertCurve.position(x: cell.x, y: cell.y, order: order) == position)
      let steps = abs(Int(cell.x) - Int(last.x)) + abs(Int(cell.y) - Int(last.y))
      #expect(steps == (position == 0 ? 0 : 1))
      last = cell
    }
  }

  @Test("the last cell of the largest grid has the last position")
  func largest() {
    let last = UInt32(1) << 31 - 1
    #expect(HilbertCurve.position(x: last, y: 0, order: 31) == UInt64(1) << 62 - 1)
    #expect(HilbertCurve.cell(at: UInt64(1) << 62 - 1, order: 31) == (last, 0))
    #expect(HilbertCurve.position(x: 0, y: 0, order: 0) == 0)
  }
}
