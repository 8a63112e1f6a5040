// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file in memory that each input is written to: the library reads files, and this one costs
/// no disk.
private let descriptor: Int32 = {
  var template = Array("/dev/shm/cairn-fuzz-XXXXXX".utf8CString)
  let opened = mkstemp(&template)
  guard opened >= 0 else { fatalError("no file in /dev/shm") }
  // Reached through the descriptor only, so that nothing is left when the fuzzer is killed.
  unlink(&template)
  return opened
}()

/// Calls `body` with the path of a file that holds `prefix` and the bytes.
func withFile(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int, prefix: [UInt8] = [], _ body: (String) -> Void
) -> CInt {
  ftruncate(descriptor, 0)
  let isWritten =
    pwrite(descriptor, prefix, prefix.count, 0) == prefix.count
    && pwrite(descriptor, bytes, count, prefix.count) == count
  guard isWritten else { fatalError("cannot write to /dev/shm") }
  body("/proc/self/fd/\(descriptor)")
  return 0
}

/// What stands before the content of a block of `count` bytes in a PBF file: the header blob, and
/// the framing of a blob that is not compressed.
func blockPrefix(_ count: Int) -> [UInt8] {
  let header = field(4, Array("OsmSchema-V0.6".utf8)) + field(4, Array("DenseNodes".utf8))
  let blob = [0x0a] + varint(count)
  return frame("OSMHeader", field(1, header), size: field(1, header).count)
    + frame("OSMData", blob, size: blob.count + count)
}

private func frame(_ type: String, _ blob: [UInt8], size: Int) -> [UInt8] {
  let header = field(1, Array(type.utf8)) + [0x18] + varint(size)
  return [0, 0, 0, UInt8(truncatingIfNeeded: header.count)] + header + blob
}

private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
  [number << 3 | 2] + varint(content.count) + content
}

private func varint(_ value: Int) -> [UInt8] {
  var rest = value
  var bytes: [UInt8] = []
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(truncatingIfNeeded: rest)]
}
