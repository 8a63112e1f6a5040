// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import SystemIO

/// The version of Cairn, as in `--version` and in the provenance of files.
package let cairnVersion = "0.1.0"

/// What `--version` prints: the program's name and the version in the first line, then what the
/// installation knows of the build: the commit, and the versions of Swift and of the libraries.
///
/// The installation keeps this in `share/cairn/version`, beside the folder of the executable or the
/// one above it. A program that was not installed does not know it: the same sources are the same
/// executable, whatever commit they are from.
package func versionText(of program: String, executableFolder folder: String = executableFolder())
  -> String
{
  let paths = ["..", "../.."].map { joinPath(folder, "\($0)/share/cairn/version") }
  let content = paths.lazy.compactMap { try? InputFile($0).readAll(limit: 4096) }.first ?? []
  let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
  return (["\(program) \(cairnVersion)"] + lines.map { printable(String($0)) })
    .joined(separator: "\n") + "\n"
}
