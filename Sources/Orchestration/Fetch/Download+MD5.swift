// SPDX-License-Identifier: Apache-2.0
import CNettle
import CairnDiagnostics
import Glibc
import SystemIO

extension Download {
  private static let sumBytesLimit = 4096

  /// Compares a downloaded file with the MD5 sum at a URL. This detects damage and files being
  /// replaced, but not forgery. Returns the sum.
  func checkMD5(_ path: String, _ sumURL: String, _ wait: (Int) -> Void) throws(CairnError)
    -> String
  {
    let sumPath = path + ".md5"
    unlink(sumPath)
    let sumDownload = Download(
      url: sumURL, sha256: nil, maximumBytes: Self.sumBytesLimit, stallSeconds: stallSeconds,
      retries: retries)
    _ = try sumDownload.run(partial: sumPath + ".part", output: sumPath, wait: wait)
    defer { unlink(sumPath) }
    let text = String(decoding: try InputFile(sumPath).readAll(limit: 4096), as: UTF8.self)
    guard let expected = Self.sum(in: text) else {
      throw CairnError(
        .wrongContent, .dataError, "is not an MD5 sum", at: Location(file: sumDownload.shownURL),
        hint: "remove md5 from the source, or give the URL of the sum")
    }
    let actual = try Self.md5(ofFile: path)
    guard actual == expected else {
      throw CairnError(
        .wrongDigest, .dataError,
        "has the MD5 sum \(actual), but \(sumDownload.shownURL) says \(expected)",
        at: Location(file: shownURL),
        hint: "the server may be replacing the file: run again later")
    }
    return actual
  }

  /// The sum in the text of a `.md5` file: `SUM  NAME`, or the sum alone.
  static func sum(in text: String) -> String? {
    guard let word = text.split(whereSeparator: \.isWhitespace).first?.lowercased(),
      word.utf8.count == 32, word.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else { return nil }
    return word
  }

  static func md5(ofFile path: String) throws(CairnError) -> String {
    let file = try InputFile(path)
    var state = md5_ctx()
    nettle_md5_init(&state)
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    var offset = 0
    while true {
      let count = try file.read(into: chunk, at: offset)
      if count == 0 { break }
      nettle_md5_update(&state, count, chunk.baseAddress?.assumingMemoryBound(to: UInt8.self))
      offset += count
    }
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_SIZE))
    nettle_md5_digest(&state, digest.count, &digest)
    return hexadecimal(digest)
  }
}
