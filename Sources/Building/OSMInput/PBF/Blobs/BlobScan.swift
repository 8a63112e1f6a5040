import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Synchronization
import SystemIO

/// What one worker makes of the blobs that fall to it.
protocol BlobDecoder: ~Copyable, SendableMetatype {
  /// What it hands over in the end.
  associatedtype Outcome: Sendable

  /// Takes in the content of a blob; `blob` is its place among the data blobs of the file.
  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError)

  /// Takes note of how the blob that was decoded last is compressed.
  mutating func note(_ compression: BlobCompression)

  /// What was collected.
  consuming func finish() -> Outcome
}

extension BlobDecoder where Self: ~Copyable {
  mutating func note(_ compression: BlobCompression) {}
}

/// The blobs of a file, read by several workers.
struct BlobScan: Sendable {
  let file: InputFile
  let index: BlobIndex
  let threads: Int
  let progress: Progress?

  /// Hands each of some blobs, named in the order of the file, to one of the workers, each with a
  /// decoder of its own; returns what they collected, in no particular order.
  ///
  /// If blobs are broken, the error is that of the first one in the file, however the work was
  /// shared: blobs are handed out in order, and none that was handed out is given up.
  func run<Decoder: BlobDecoder & ~Copyable>(
    _ blobs: some Sequence<Int>, phase: String, _ makeDecoder: @escaping @Sendable () -> Decoder
  ) throws(CairnError) -> [Decoder.Outcome] {
    let blobs = Array(blobs)
    progress?.begin(phase, total: blobs.count)
    let queue = WorkQueue(count: blobs.count)
    let outcomes = Mutex<[Decoder.Outcome]>([])
    let failure = Mutex<(blob: Int, error: CairnError)?>(nil)
    runWorkers(min(threads, blobs.count)) { _ in
      var decoder = makeDecoder()
      var reader = BlobReader(file)
      while let place = queue.next() {
        let blob = blobs[place]
        do throws(CairnError) {
          try reader.withContent(of: index.data[blob]) { content throws(CairnError) in
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
}
