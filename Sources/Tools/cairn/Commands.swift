// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Distribution
import DownloadCache
import MapChecks
import RunCommands
import SampleData
import SlurmExecution

extension Cairn {
  typealias NamedCommand = (name: String, command: any (Command & SendableMetatype).Type)

  /// The commands with their names, in groups, in the order of the overview.
  static let commandGroups: [(title: String, commands: [NamedCommand])] = [
    (
      "Build regions",
      [
        ("init", InitCommand.self),
        ("manifest", ManifestCommand.self),
        ("plan", PlanCommand.self),
        ("run", RunCommand.self),
        ("status", StatusCommand.self),
        ("warnings", WarningsCommand.self),
        ("log", LogCommand.self),
        ("explain-run", ExplainRunCommand.self),
        ("report", ReportCommand.self),
        ("rollback", RollbackCommand.self),
        ("publish", PublishCommand.self),
        ("keygen", KeygenCommand.self),
        ("gc", GCCommand.self),
        ("sources", SourcesCommand.self),
        ("cache", CacheCommand.self),
        ("doctor", DoctorCommand.self),
        ("sample", SampleCommand.self),
      ]
    ),
    (
      "Look at files and bundles",
      [
        ("inspect", InspectCommand.self),
        ("audit", AuditCommand.self),
        ("lint", LintCommand.self),
        ("export", ExportCommand.self),
        ("bundle verify", BundleVerifyCommand.self),
        ("bundle pack", BundlePackCommand.self),
        ("bundle diff", BundleDiffCommand.self),
        ("delta make", DeltaMakeCommand.self),
        ("delta apply", DeltaApplyCommand.self),
        ("delta show", DeltaShowCommand.self),
      ]
    ),
    (
      "Find routes",
      [
        ("route", RouteCommand.self),
        ("routes batch", RoutesBatchCommand.self),
        ("matrix", MatrixCommand.self),
        ("isochrone", IsochroneCommand.self),
        ("round-trip", RoundTripCommand.self),
        ("explain", ExplainCommand.self),
        ("elevation-profile", ElevationProfileCommand.self),
        ("elevation", ElevationCommand.self),
      ]
    ),
    (
      "Tune the costs",
      [
        ("profiles", ProfilesCommand.self),
        ("profile show", ProfileShowCommand.self),
        ("profile check", ProfileCheckCommand.self),
        ("profile schema", ProfileSchemaCommand.self),
        ("compare", CompareCommand.self),
        ("fit", FitCommand.self),
        ("sweep", SweepCommand.self),
        ("suite check", SuiteCheckCommand.self),
        ("suite schema", SuiteSchemaCommand.self),
      ]
    ),
    (
      "Do what an app does",
      [
        ("update", UpdateCommand.self),
        ("search", SearchCommand.self),
        ("where", WhereCommand.self),
        ("trails list", TrailsListCommand.self),
        ("trails show", TrailsShowCommand.self),
        ("trails plan", TrailsPlanCommand.self),
        ("planned list", PlannedListCommand.self),
        ("planned show", PlannedShowCommand.self),
        ("planned import", PlannedImportCommand.self),
        ("planned export", PlannedExportCommand.self),
        ("planned delete", PlannedDeleteCommand.self),
        ("navigate", NavigateCommand.self),
        ("navigate batch", NavigateBatchCommand.self),
        ("haptics list", HapticsListCommand.self),
        ("haptics export", HapticsExportCommand.self),
        ("haptics preview", HapticsPreviewCommand.self),
        ("track match", TrackMatchCommand.self),
        ("track stats", TrackStatsCommand.self),
        ("track smooth", TrackSmoothCommand.self),
        ("track simplify", TrackSimplifyCommand.self),
        ("track convert", TrackConvertCommand.self),
        ("track split", TrackSplitCommand.self),
        ("track merge", TrackMergeCommand.self),
        ("waypoints list", WaypointsListCommand.self),
        ("waypoints near", WaypointsNearCommand.self),
        ("waypoints add", WaypointsAddCommand.self),
        ("waypoints import", WaypointsImportCommand.self),
        ("waypoints export", WaypointsExportCommand.self),
      ]
    ),
  ]

  /// The commands of all groups.
  static let commands: [NamedCommand] = commandGroups.flatMap(\.commands)

  /// Commands outside the overview: one for other commands, one for tests, and the earlier name of
  /// `cairn elevation-profile`.
  static let hiddenCommands: [NamedCommand] = [
    ("execute-attempt", AttemptCommand.self),
    ("record-fixes", RecordFixesCommand.self),
    ("profile", ElevationProfileCommand.self),
  ]

  /// The error for a first word that needs a second one, such as `planned`, if the second word is
  /// missing or unknown.
  static func missingSecondWord(_ words: [String]) -> CairnError? {
    guard let first = words.first else { return nil }
    let seconds = commands.map(\.name).filter { $0.hasPrefix(first + " ") }
      .map { String($0.dropFirst(first.count + 1)) }
    guard !seconds.isEmpty else { return nil }
    let list = seconds.joined(separator: ", ")
    guard words.count > 1 else {
      return CairnError(.usage, .usage, "\(first) needs a subcommand: \(list)")
    }
    let near = nearestWord(to: words[1], among: seconds)
    return CairnError(
      .usage, .usage,
      "unknown command “\(first) \(printable(words[1]))”; subcommands of \(first): \(list)",
      hint: near.map { "did you mean \($0)?" })
  }
}
