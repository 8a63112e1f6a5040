// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnUpdates
import CommandLineKit
import FoundationEssentials
import Glibc
import SystemIO

/// Downloads with `cairn-fetch`, and so with libcurl, which this program does not link: with its
/// limits, retries and resumed partial files.
struct FetchTransport: UpdateTransport {
  /// The URL of the tree.
  var root: String
  var stallSeconds = 60
  var retries = 3
  var program = joinPath(executableFolder(), "cairn-fetch")

  func download(_ path: String, to file: URL, expected: FileRecord?, limit: Int)
    async throws(UpdateError)
  {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    var words = [
      "--url", "\(root)/\(path)", "--output", file.path, "--max-bytes", "\(max(1, limit))",
      "--stall", "\(stallSeconds)", "--retries", "\(retries)", "-q",
      // A killed updater must not leave a writer behind: the next one works in the same place.
      "--parent", "\(getpid())",
    ]
    if let expected {
      words += ["--sha256", expected.sha256]
    } else {
      // An index that was not finished is not worth continuing: it changes.
      for path in [file.path + ".part", file.path + ".part.state"] { unlink(path) }
    }
    // Another version is in the way.
    if nameExists(file.path), expected?.sha256 != (try? SHA256Digest.ofFile(file.path)) {
      unlink(file.path)
    }
    for waited in 0... {
      let (status, message) = try run(words)
      if status == ExitCode.success.rawValue { return }
      // The download of an updater killed a moment ago may not have ended yet.
      if message.contains("is being fetched by another process"), waited < stallSeconds {
        sleep(1)
        continue
      }
      switch ExitCode(rawValue: status) {
      case .dataError: throw .invalid(message)
      case .cannotCreate, .ioError: throw .notWritten(message)
      case .noInput: throw .missing(message)
      default: throw .unreachable(message)
      }
    }
  }

  /// Runs the program; returns its exit status and its last words.
  private func run(_ words: [String]) throws(UpdateError) -> (Int32, String) {
    var errors: [UInt8] = []
    do throws(CairnError) {
      let pipe = try OutputPipe()
      let process = try Subprocess(
        program, words, standardOutput: .nothing, standardError: .pipe(pipe))
      let ending = process.wait(reading: [pipe]) { _, bytes in
        errors.append(contentsOf: bytes)
        if errors.count > 1 << 16 { errors.removeFirst(errors.count - 1 << 12) }
      }
      let text = String(decoding: errors, as: UTF8.self)
      let line = text.split(separator: "\n").last { $0.contains("error:") } ?? ""
      let message = String(line.replacing("cairn-fetch: error: ", with: ""))
      return (ending.exitStatus ?? 1, message.isEmpty ? "cairn-fetch failed" : message)
    } catch { throw .unreachable(error.description) }
  }
}

/// Digests and signatures by nettle.
struct NettleCryptography: UpdateCryptography {
  func sha256(of file: URL) -> String? { try? SHA256Digest.ofFile(file.path) }

  func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    Ed25519.isValid(signature, of: message, by: publicKey)
  }
}
