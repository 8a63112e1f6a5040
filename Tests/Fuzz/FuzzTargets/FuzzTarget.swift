// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// A reader of input from outside, with what must hold for any bytes.
///
/// `make fuzz` feeds each target with inputs that libFuzzer invents; the tests replay the inputs
/// that once broke one.
public struct FuzzTarget: Sendable {
  /// The name of the target: that of its folder in `Seeds` and the beginning of the names of its
  /// files in `Regressions`.
  public let name: String
  /// Valid inputs that are easier to compute than to keep in `Seeds`.
  public let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads an input. Throws ``FuzzFailure`` if the reader breaks a promise; a reader that traps or
  /// hangs does so here.
  public let check: @Sendable (UnsafeRawBufferPointer) throws -> Void

  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]] = { [] },
    check: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.check = check
  }

  /// All targets.
  public static let all: [FuzzTarget] =
    mapTargets + terrainTargets + textTargets + routeTargets + databaseTargets
    + companionTargets + deltaTargets + trackTargets + matchingTargets + waypointTargets
    + placeTargets + guidanceTargets + reportTargets + bundleTargets + tileTargets
    + transferTargets + downloadTargets

  /// The target of a name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What a reader did that it must not do.
public struct FuzzFailure: Error, CustomStringConvertible {
  /// What it did.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a failure unless a condition holds.
func expect(_ condition: Bool, _ failure: @autoclosure () -> String) throws(FuzzFailure) {
  guard condition else { throw FuzzFailure(failure()) }
}

/// Runs a reader, which may throw an error about its input and no other. Returns what it read.
@discardableResult
func expectTypedError<Content>(
  endingWith exitCode: ExitCode = .dataError, _ body: () throws -> Content
) throws -> Content? {
  do { return try body() } catch let failure as FuzzFailure { throw failure } catch {
    guard let error = error as? CairnError else { throw FuzzFailure("untyped error: \(error)") }
    try expect(error.exitCode == exitCode, "ends with \(error.exitCode): \(error)")
    try expect(!error.description.isEmpty, "an error without a text")
    return nil
  }
}
