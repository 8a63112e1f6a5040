// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

/// Expects `body` to throw a ``CairnError`` with a code and, if one is named, an exit code.
///
/// Returns the error, so a test can check its message and location.
@discardableResult
package func expectError(
  _ code: CairnError.Code, _ exitCode: ExitCode? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> CairnError? {
  do {
    let result = try body()
    Issue.record(
      "expected the error \(code.rawValue), got \(result)", sourceLocation: sourceLocation)
    return nil
  } catch let error as CairnError {
    let isExpected = error.code == code && (exitCode == nil || error.exitCode == exitCode)
    #expect(
      isExpected,
      """
      expected \(code.rawValue) \(exitCode.map { "(\($0.rawValue))" } ?? ""), \
      got \(error.code.rawValue) (\(error.exitCode.rawValue)): \(error)
      """,
      sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("expected a CairnError, got \(error)", sourceLocation: sourceLocation)
    return nil
  }
}
