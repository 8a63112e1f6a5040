// SPDX-License-Identifier: Apache-2.0
import CLinux
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnUpdates
import CommandLineKit
import FoundationEssentials
import Glibc
import Synchronization
import SystemIO

/// `cairn update`: the regions in a folder, brought up to date as an app does it.
package struct UpdateCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn update",
    summary: "update the regions in a folder from a published tree",
    discussion: """
      URL points to a tree written by cairn publish. Without REGION, updates all regions installed \
      in DIR; otherwise updates or installs the named ones. Each region is always the complete old \
      or new version; interrupted downloads are kept for the next call. With --key, the index must \
      be signed by that key, not older than the last one, and not out of date. An index from more \
      than a day in the future is refused. Fetches files again that are missing or have another \
      size, with --verify all that are damaged. Exit code 65: the index or a file is refused; 66: no such region or tree; 73: a folder is in the way; 74: a \
      file cannot be written; 75: the server cannot be reached, or another update is running.
      """,
    positionals: [
      .init("DIR", help: "the folder of the regions; created if missing"),
      .init("URL", help: "https, http or file"),
      .init("REGION", repeats: true, required: false, help: "the id of a region"),
    ],
    options: [
      .option("key", "FILE", help: "the public key that the index must be signed with"),
      .flag("verify", help: "read all installed files, and fetch damaged ones again"),
      .flag("list", help: "list new versions and their download sizes, and change nothing"),
      .option("planned", "FOLDER", help: "list the planned routes whose ways changed"),
      .option("memory", "MB", help: "use whole files if deltas need more memory than this"),
      .option("stall", "SECONDS", help: "end an attempt after this long without data (default 60)"),
      .option("retries", "N", help: "further attempts of a download (default 3)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
    ],
    examples: ["cairn update regions https://example.org/cairn --key cairn.key.pub"])

  /// Updates.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let key = try arguments.value("key").map { path throws(CairnError) in
      try KeyFile.read(path, .open)
    }
    var transport = FetchTransport(root: arguments.positionals[1])
    transport.stallSeconds = try arguments.integer("stall", in: 1...86_400) ?? 60
    transport.retries = try arguments.integer("retries", in: 0...100) ?? 3
    var updater = RegionUpdater(
      folder: URL(filePath: arguments.positionals[0], directoryHint: .isDirectory),
      transport: transport, cryptography: NettleCryptography(), publicKey: key)
    updater.verifies = arguments.has("verify")
    updater.exchange = { cairn_exchange_paths($0.path, $1.path) == 0 }
    if let megabytes = try arguments.integer("memory", in: 0...1_000_000) {
      updater.mostMemory = megabytes * 1_000_000
    }
    let routes = try arguments.value("planned").map { folder in
      let store = PlannedRouteStore(folder: folder)
      _ = try store.loadAll()
      return store.routes
    }
    let task = UpdateTask(
      updater: updater, ids: Array(arguments.positionals.dropFirst(2)),
      isListOnly: arguments.has("list"), isQuiet: arguments.has("quiet"), routes: routes ?? [])
    return try waiting { try await task.run() }
  }
}

/// The task of `cairn update`.
struct UpdateTask: Sendable {
  let updater: RegionUpdater
  let ids: [String]
  let isListOnly: Bool
  let isQuiet: Bool
  let routes: [PlannedRoute]

  func run() async throws -> ExitCode {
    do throws(UpdateError) {
      let plan = try await updater.check(remembers: !isListOnly)
      if let known = plan.olderThan, let number = plan.index.release?.number {
        Console.note(
          "note: the index is number \(number), but number \(known) was there before; with --key it "
            + "would be refused")
      }
      for folder in plan.kept {
        write(
          "files that are not Cairn's, from an interrupted update, were moved to \(folder.path)\n")
      }
      let regions = try chosen(plan)
      if isListOnly {
        write(list(plan))
        return .success
      }
      if ids.isEmpty, regions.isEmpty {
        write("no region is installed; name the regions to install (--list shows them)\n")
      }
      for region in regions { try await update(region) }
      for region in plan.regions where region.kind == .left {
        write("\(region.id): no longer on the server; kept\n")
      }
    } catch { throw error.ofCommand }
    return .success
  }

  private func chosen(_ plan: UpdatePlan) throws(UpdateError) -> [UpdatePlan.Region] {
    guard !ids.isEmpty else { return plan.regions.filter { $0.kind != .available } }
    var regions: [UpdatePlan.Region] = []
    for id in ids {
      guard let region = plan.regions.first(where: { $0.id == id }) else {
        throw .noSuchRegion(id)
      }
      regions.append(region)
    }
    return regions
  }

  private func update(_ region: UpdatePlan.Region) async throws(UpdateError) {
    switch region.kind {
    case .left: return
    case .current: return write("\(region.id): is up to date\n")
    case .available, .changed: break
    }
    let progress = Progress(command: "cairn update", style: isQuiet ? .none : .auto)
    let files = region.entry?.allFiles ?? [:]
    progress.begin(region.id, total: files.values.reduce(0) { $0 + $1.bytes })
    let done = try await updater.update(region) { progress.advance(by: $1) }
    progress.end()
    let patched = done.patched.isEmpty ? "" : ", \(done.patched.count) with deltas"
    let time = region.entry?.dataTimestamp.map { ", data of \(printable($0))" } ?? ""
    if !region.damaged.isEmpty {
      write(
        "\(region.id): damaged or missing, fetched again: "
          + "\(region.damaged.map { printable($0) }.joined(separator: ", "))\n")
    }
    write(
      "\(region.id): \(region.kind == .changed ? "updated" : "installed")\(time): "
        + "\(byteSize(done.bytes)) of \(byteSize(region.wholeBytes)) downloaded\(patched)\n")
    for route in done.changes?.affected(routes) ?? [] {
      write("  changed ways on the planned route “\(printable(route.name))”\n")
    }
    if let kept = done.kept {
      write("  files in its folder that are not Cairn's were moved to \(kept.path)\n")
    }
  }

  private func list(_ plan: UpdatePlan) -> String {
    let rows = plan.regions.map { region in
      let kind =
        switch region.kind {
        case .available: "new"
        case .changed: region.damaged.isEmpty ? "changed" : "damaged"
        case .current: "up to date"
        case .left: "left the server"
        }
      return [
        region.id, kind, region.bytes > 0 ? byteSize(region.bytes) : "",
        region.wholeBytes > 0 ? byteSize(region.wholeBytes) : "", printable(region.name),
      ]
    }
    let columns: [TextTable.Alignment] = [.left, .left, .right, .right, .left]
    return TextTable(
      columns, rows: [["region", "state", "download", "of", "name"]] + rows
    ).text
  }

  private func write(_ text: String) {
    guard !isQuiet || isListOnly else { return }
    // A closed pipe must not end an update half-way.
    try? Console.write(text)
  }
}

private final class TaskOutcome<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}

/// Waits for an asynchronous result.
private func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let outcome = TaskOutcome<Result>()
  let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  sem_init(semaphore, 0, 0)
  defer { semaphore.deallocate() }
  let address = UInt(bitPattern: semaphore)
  Task.detached {
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    outcome.value.withLock { $0 = result }
    if let semaphore = UnsafeMutablePointer<sem_t>(bitPattern: address) { sem_post(semaphore) }
  }
  while sem_wait(semaphore) != 0 {}
  guard let result = outcome.value.withLock({ $0 }) else {
    throw CairnError("no-result", .software, "the task ended without a result")
  }
  return try result.get()
}

extension UpdateError {
  /// The error of a command.
  fileprivate var ofCommand: CairnError {
    let (exit, hint): (ExitCode, String?) =
      switch self {
      case .unreachable: (.temporaryFailure, "run again; the downloaded part is kept")
      case .missing: (.noInput, "is it the URL of a tree that cairn publish wrote?")
      case .busy: (.temporaryFailure, "wait until it ends")
      case .untrusted, .old, .invalid: (.dataError, nil)
      case .expired, .fromFuture: (.dataError, "is the clock right?")
      case .noSuchRegion: (.noInput, "list the regions with --list")
      case .foreign: (.cannotCreate, "move it away, or choose another folder")
      case .noSpace: (.ioError, "free some disk space and run again")
      case .notWritten: (.ioError, nil)
      }
    return CairnError("update", exit, description, hint: hint)
  }
}
