// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Synchronization
import SystemIO

/// Decodes the blobs of one worker.
protocol BlobDecoder: ~Copyable, SendableMetatype {
  /// The result for all blobs of the worker.
  associatedtype Outcome: Sendable

  /// Decodes the content of a blob; `blob` is its index among the data blobs of the file.
  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError)

  /// Records the compression of the last decoded blob.
  mutating func note(_ compression: BlobCompression)

  /// Returns the result.
  consuming func finish() -> Outcome
}

extension BlobDecoder where Self: ~Copyable {
  mutating func note(_ compression: BlobCompression) {}
}

/// Reads the blobs of a file with several workers.
struct BlobScan: Sendable {
  let file: InputFile
  let index: BlobIndex
  let threads: Int
  let progress: Progress?
  /// The contents of blobs that have been decompressed already, by index.
  var known: [Int: [UInt8]] = [:]

  /// Distributes blobs, given in the order of the file, to workers, each with its own decoder; returns
  /// their results in no particular order. There are `threads` workers, as a rule those of the scan.
  ///
  /// If blobs are invalid, the error is that of the first one in the file, however the work was
  /// divided: blobs are handed out in order, and each of these is decoded.
  func run<Decoder: BlobDecoder & ~Copyable>(
    _ blobs: some Sequence<Int>, phase: String, threads: Int? = nil,
    _ makeDecoder: @escaping @Sendable () -> Decoder
  ) throws(CairnError) -> [Decoder.Outcome] {
    let blobs = Array(blobs)
    progress?.begin(phase, total: blobs.count)
    let queue = WorkQueue(count: blobs.count)
    let outcomes = Mutex<[Decoder.Outcome]>([])
    let failure = Mutex<(blob: Int, error: CairnError)?>(nil)
    runWorkers(min(threads ?? self.threads, blobs.count)) { _ in
      var decoder = makeDecoder()
      var reader = BlobReader(file)
      while let index = queue.next() {
        let blob = blobs[index]
        do throws(CairnError) {
          try withContent(of: blob, &reader) { content throws(CairnError) in
            try decoder.decode(content, blob: blob)
          }
          decoder.note(reader.compression)
        } catch {
          queue.cancel()
          failure.withLock { known in
            if known.map({ blob < $0.blob }) ?? true { known = (blob, error) }
          }
          return
        }
        progress?.advance(by: 1)
      }
      let outcome = decoder.finish()
      outcomes.withLock { $0.append(outcome) }
    }
    if let failure = failure.withLock({ $0 }) { throw failure.error }
    return outcomes.withLock { $0 }
  }

  /// Calls `body` with the content of a blob, decompressed by `reader` unless it is known.
  private func withContent(
    of blob: Int, _ reader: inout BlobReader,
    _ body: (UnsafeRawBufferPointer) throws(CairnError) -> Void
  ) throws(CairnError) {
    guard let content = known[blob] else {
      return try reader.withContent(of: index.data[blob], body)
    }
    do throws(CairnError) {
      try content.withUnsafeBufferPointer { content throws(CairnError) in
        try body(UnsafeRawBufferPointer(content))
      }
    } catch { throw error.located(inFile: file.path, byte: index.data[blob].frameOffset) }
  }
}
