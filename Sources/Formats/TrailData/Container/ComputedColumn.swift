// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
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

  /// Computes the elements of a range into uninitialized memory of the same count.
  func compute(_ range: Range<Int>, into piece: UnsafeMutableBufferPointer<Element>) {
    fill(range, piece)
  }
}

/// The pieces of computed columns, which several threads compute and write. The bytes do not depend
/// on their number.
final class ColumnPieceQueue: Sendable {
  /// Computes a piece in the given memory and writes it.
  typealias Piece =
    @Sendable (_ memory: UnsafeMutableRawBufferPointer) throws(CairnError) -> Void

  /// The size of a piece in bytes, which stays in a processor's cache until it is written.
  fileprivate static let pieceBytes = 1 << 18

  private let pieces: [Piece]
  private let queue: WorkQueue
  private let failures: Collector<CairnError>

  /// Takes the pieces of some columns.
  init(_ pieces: [Piece]) {
    self.pieces = pieces
    queue = WorkQueue(count: pieces.count)
    failures = Collector(count: pieces.count)
  }

  /// Computes and writes all pieces on several threads, of which one calls `body` before it helps.
  func write<Value: Sendable>(
    threads: Int, alongside body: @escaping @Sendable () throws(CairnError) -> Value
  ) throws(CairnError) -> Value {
    let bodies = WorkQueue(count: 1)
    let result = Mutex<Result<Value, CairnError>?>(nil)
    runWorkers(max(1, threads)) { [self] _ in
      if bodies.next() != nil {
        let value = Result(catching: body)
        result.withLock { $0 = value }
      }
      work()
    }
    if let failure = failures.values().first { throw failure }
    guard let value = result.withLock({ $0 }) else {
      throw CairnError("unexpected", .software, "a task was not run")
    }
    return try value.get()
  }

  /// Computes and writes pieces until none is left.
  private func work() {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.pieceBytes, alignment: ContainerHeader.alignment)
    defer { memory.deallocate() }
    while let index = queue.next() {
      do throws(CairnError) { try pieces[index](memory) } catch {
        failures.set(index, error)
        queue.cancel()
      }
    }
  }
}

extension ContainerWriter {
  /// Appends a column and returns its pieces.
  func pieces<Element: ContainerElement>(
    _ name: String, _ column: ComputedColumn<Element>
  ) -> [ColumnPieceQueue.Piece] {
    let target = reserve(name, of: Element.self, count: column.count)
    let length = ColumnPieceQueue.pieceBytes / MemoryLayout<Element>.stride
    var pieces: [ColumnPieceQueue.Piece] = []
    for start in stride(from: 0, to: column.count, by: length) {
      let range = start..<min(column.count, start + length)
      let piece: ColumnPieceQueue.Piece = { memory throws(CairnError) in
        let elements = memory.bindMemory(to: Element.self)[..<range.count]
        column.compute(range, into: UnsafeMutableBufferPointer(rebasing: elements))
        try target.write(UnsafeBufferPointer(rebasing: elements), at: start)
      }
      pieces.append(piece)
    }
    return pieces
  }
}
