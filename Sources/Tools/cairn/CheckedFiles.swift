// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit

/// Checks files one by one and reports the errors of each.
///
/// - Parameter check: Reads a file, and prints its content. Throws 78, 66 or 65 for a file that is
///   invalid or missing; other errors end the command.
/// - Returns: The exit code; an invalid file takes precedence over a missing one.
func checkFiles(_ paths: [String], _ check: (String) throws(CairnError) -> Void)
  throws(CairnError) -> ExitCode
{
  var code = ExitCode.success
  for path in paths {
    do throws(CairnError) { try check(path) } catch {
      guard [.configuration, .noInput, .dataError].contains(error.exitCode) else { throw error }
      Console.note("\(error)")
      if code != .configuration { code = error.exitCode }
    }
  }
  return code
}
