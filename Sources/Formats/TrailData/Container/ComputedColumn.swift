// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// A column computed in pieces, so that it need not be in memory as a whole.
package struct ComputedColumn<Element: ContainerElement>: Sendable {
  /// Computes the elements of a range into uninitialized memory of the same count.
  package typealias Fill =
    @Sendable (_ range: Range<Int>, _ piece: UnsafeMutableBufferPointer<Element>) -> Void

  /// The number of elements.
  package let count: Int
  private let fill: Fill

  /// Creates a column of `count` elements. Several threads may call `fill` at once.
  package init(count: Int, fill: @escaping Fill) {
    self.count = count
    self.fill = fill
  }

  /// Creates a column of elements that are in memory.
  package init(_ elements: [Element]) {
    self.init(count: elements.count) { range, piece in
      _ = piece.initialize(fromContentsOf: elements[range])
    }
  }

  /// All elements.
  package func elements() -> [Element] {
    [Element](unsafeUninitializedCapacity: count) { elements, initialized in
      fill(0..<count, elements)
      initialized = count
    }
  }

  fileprivate func compute(_ range: Range<Int>, into piece: UnsafeMutableBufferPointer<Element>) {
    fill(range, piece)
  }
}

extension ContainerWriter {
  /// The size of a piece in bytes, which stays in a processor's cache until it is written.
  private static let pieceBytes = 1 << 18

  /// Appends a column that several threads compute and write piece by piece. The bytes do not depend
  /// on their number.
  package func add<Element: ContainerElement>(
    _ name: String, _ column: ComputedColumn<Element>, threads: Int
  ) throws(CairnError) {
    let target = reserve(name, of: Element.self, count: column.count)
    let length = Self.pieceBytes / MemoryLayout<Element>.stride
    let queue = WorkQueue(count: (column.count + length - 1) / length)
    let failures = Collector<CairnError>(count: queue.count)
    runWorkers(max(1, min(threads, queue.count))) { _ in
      let memory = UnsafeMutableBufferPointer<Element>.allocate(
        capacity: min(length, column.count))
      defer { memory.deallocate() }
      while let index = queue.next() {
        let range = index * length..<min(column.count, (index + 1) * length)
        let piece = UnsafeMutableBufferPointer(rebasing: memory[..<range.count])
        column.compute(range, into: piece)
        do throws(CairnError) {
          try target.write(UnsafeBufferPointer(piece), at: range.lowerBound)
        } catch {
          failures.set(index, error)
          queue.cancel()
        }
      }
    }
    if let failure = failures.values().first { throw failure }
  }
}
