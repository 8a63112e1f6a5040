// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import SystemIO

/// The version of Cairn, as in `--version` and in the provenance of files.
package let cairnVersion = "0.2.0"

/// The output of `--version`: the program's name and version in the first line, then the build
/// information of the installation: the commit, and the versions of Swift and the libraries.
///
/// The installation stores this in `share/cairn/version`, next to the folder of the executable or
/// its parent. Without an installation it is unknown: the same sources give the same executable,
/// whatever their commit.
package func versionText(of program: String, executableFolder folder: String = executableFolder())
  -> String
{
  let paths = ["..", "../.."].map { joinPath(folder, "\($0)/share/cairn/version") }
  let content = paths.lazy.compactMap { try? InputFile($0).readAll(limit: 4096) }.first ?? []
  let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
  return (["\(program) \(cairnVersion)"] + lines.map { printable(String($0)) })
    .joined(separator: "\n") + "\n"
}
