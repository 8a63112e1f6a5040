// SPDX-License-Identifier: Apache-2.0
import Pipeline
import SampleData
import StageKit

extension Cairn {
  /// The commands by their names, in the order of the overview.
  static let commands: [(name: String, command: any (Command & SendableMetatype).Type)] = [
    ("init", InitCommand.self),
    ("manifest", ManifestCommand.self),
    ("plan", PlanCommand.self),
    ("run", RunCommand.self),
    ("gc", GCCommand.self),
    ("rollback", RollbackCommand.self),
    ("explain-run", ExplainRunCommand.self),
    ("status", StatusCommand.self),
    ("doctor", DoctorCommand.self),
    ("route", RouteCommand.self),
    ("routes batch", RoutesBatchCommand.self),
    ("isochrone", IsochroneCommand.self),
    ("round-trip", RoundTripCommand.self),
    ("explain", ExplainCommand.self),
    ("profiles", ProfilesCommand.self),
    ("profile show", ProfileShowCommand.self),
    ("profile check", ProfileCheckCommand.self),
    ("inspect", InspectCommand.self),
    ("profile", RouteProfileCommand.self),
    ("elevation", ElevationCommand.self),
    ("sample", SampleCommand.self),
  ]

  /// What commands call, and people do not.
  static let hiddenCommands: [(name: String, command: any (Command & SendableMetatype).Type)] = [
    ("execute-attempt", AttemptCommand.self)
  ]
}
