// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import Glibc

/// Lines on stderr about a run. In a log, each has its date and time; on a terminal, in a systemd
/// journal, which has its own, and in other forms none has.
struct RunLog: Sendable {
  private let isStamped: Bool

  /// - Parameter isPlain: Whether lines are for people rather than for programs.
  init(isPlain: Bool) {
    isStamped = isPlain && !Console.isTerminal && !Self.isJournal
  }

  /// Writes a line, or several.
  func note(_ text: String) {
    guard isStamped, let time = timestampText(Date.now) else { return Console.note(text) }
    let stamp = time.prefix(19) + "Z "
    Console.note(text.split(separator: "\n").map { stamp + $0 }.joined(separator: "\n"))
  }

  /// Whether stderr is a stream of the systemd journal, identified by device and inode.
  private static var isJournal: Bool {
    guard let text = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && text == "\(status.st_dev):\(status.st_ino)"
  }
}
