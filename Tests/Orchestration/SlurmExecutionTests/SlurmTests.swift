// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Execution
import Foundation
import Manifests
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import SlurmExecution

/// Tests what `Tests/SlurmTests` cannot test with a real cluster: the answers of other clusters, and
/// single jobs.
@Suite("Slurm jobs")
struct SlurmTests {
  /// Replaces Slurm's programs: accepts every job, runs none, and lists all in one state.
  private func slurm(_ world: World, state: String, reason: String = "None") throws
    -> SlurmExecutor.Settings
  {
    let calls = world.folder.file("bin/sbatch-calls")
    let sbatch = "#!/bin/sh\necho \"$*\" >> '\(calls)'\nwc -l < '\(calls)' | tr -d ' '\n"
    try world.writeExecutable(sbatch, "sbatch")
    try world.writeExecutable(
      """
      #!/bin/sh
      [ -e '\(calls)' ] || exit 0
      for id in $(seq "$(wc -l < '\(calls)')"); do echo "$id|\(state)|job $id|\(reason)"; done
      """, "squeue")
    try world.writeExecutable(
      "#!/bin/sh\necho \"$*\" >> '\(world.folder.file("bin/scancel-calls"))'\n", "scancel")
    return SlurmExecutor.Settings(
      cairn: "/no/cairn",
      searchPath: world.folder.file("bin") + ":/usr/bin:/bin", tickSeconds: 0.02,
      resultSeconds: 0.1)
  }

  @Test(
    "a job without a result is reported with its state, and run again where that may help",
    arguments: [
      ("OUT_OF_MEMORY", "needed more memory than the 200 MiB (Slurm job", 2),
      ("NODE_FAIL", "was lost with its node (Slurm job", 2),
      ("PREEMPTED", "was lost with its node (Slurm job", 2),
      ("COMPLETED", "left no result (Slurm job", 2),
      ("TIMEOUT", "reached the time limit of Slurm job", 1),
      ("CANCELLED", "was cancelled by another user or program (Slurm job", 1),
    ])
  func lost(state: String, message: String, attempts: Int) throws {
    let world = try World()
    let resources = "\nresources: { decode-pbf: { memory: 100 MiB } }\nretries: 1\n"
    try world.folder.write(world.text("m.yaml") + resources, to: "m.yaml")
    let slurm = try slurm(world, state: state)
    let summary = try world.run(regions: ["west"]) { $0.executor = .slurm(slurm) }
    let failure = try #require(summary.failures.first)
    #expect(failure.message.contains(message))
    let decodings = try world.text("bin/sbatch-calls").split(separator: "\n").filter {
      $0.contains("decode-pbf")
    }
    #expect(decodings.count == attempts)
    // A job that was killed from outside gets more memory.
    #expect(decodings.first?.contains("--mem=100M") == true)
    if attempts == 2 { #expect(decodings.last?.contains("--mem=200M") == true) }
    #expect(FileManager.default.contents(atPath: world.folder.file("out/west")) == nil)
  }

  @Test("a job that would never begin is cancelled and reported")
  func hopeless() throws {
    let world = try World()
    let slurm = try slurm(world, state: "PENDING", reason: "PartitionTimeLimit")
    let summary = try world.run(regions: ["west"]) { $0.executor = .slurm(slurm) }
    #expect(
      summary.failures.first?.message.contains("would never start") == true)
    #expect(try world.text("bin/scancel-calls").hasPrefix("1\n"))
  }

  @Test("the jobs of a region wait for each other, and Slurm drops them with what they wait for")
  func dependencies() throws {
    let world = try World()
    let slurm = try slurm(world, state: "CANCELLED")
    try world.run(regions: ["west"]) { $0.executor = .slurm(slurm) }
    let calls = try world.text("bin/sbatch-calls").split(separator: "\n")
    let dependencies = calls.map { call in
      call.split(separator: " ").first { $0.hasPrefix("--dependency") } ?? "none"
    }
    #expect(dependencies == ["none"] + (1...4).map { "--dependency=afterok:\($0)" })
    #expect(calls.dropFirst().allSatisfy { $0.contains("--kill-on-invalid-dep=yes") })
    #expect(calls.dropFirst().allSatisfy { $0.contains("--no-requeue") })
    // What no job will wait for any more is removed.
    let attempts = try FileManager.default.contentsOfDirectory(
      atPath: world.folder.file("out/.cairn/attempts"))
    #expect(attempts.allSatisfy { $0.hasPrefix("west.decode-pbf.") }, "\(attempts)")
  }

  @Test("the end of a job is marked where one look finds those of all jobs")
  func marks() throws {
    let folder = try TemporaryFolder()
    let attempts = ["a", "b"].map { folder.file("attempts/\($0)") }
    for attempt in attempts { try makeFolders(attempt) }
    #expect(!EndedAttempts().contains(attempts[0]))
    EndedAttempts.mark(attempts[0])
    let ended = EndedAttempts()
    #expect(attempts.map(ended.contains) == [true, false])
    ended.clear()
    #expect(try folderContents(folder.path) == ["attempts"])
  }

  @Test(
    "a shell reads a folder's name back, whatever it is",
    arguments: ["plain", "it's", "'", "'\u{301}; exit 9; '\u{301}", "$(exit 9)\n\"`"])
  func quoting(name: String) throws {
    let result = try runProcess("sh", ["-c", "printf %s \(shellQuoted(name))"])
    #expect(result.status == 0 && result.stdout.utf8.elementsEqual(name.utf8))
  }

  @Test("no stage of the user's writes a file of a job")
  func reservedNames() {
    #expect(SlurmAttempt.fileNames.allSatisfy(Stage.attemptFiles.contains))
  }

  @Test("limits become options of sbatch, minutes rounded up")
  func limits() {
    #expect(AttemptLimits(threads: 3).sbatchOptions == ["--cpus-per-task=3"])
    let all = AttemptLimits(threads: 1, memoryMiB: 96, timeSeconds: 61)
    #expect(all.sbatchOptions == ["--cpus-per-task=1", "--mem=96M", "--time=2"])
  }

  @Test("a line that is not one of the queue is skipped")
  func lines() {
    #expect(SlurmJob(line: "7|RUNNING|cairn.west|None")?.isAlive == true)
    #expect(SlurmJob(line: "7|PENDING|a|b|c")?.reason == "b|c")
    for line in ["", "7", "7|RUNNING|cairn", "|RUNNING|cairn|None"] {
      #expect(SlurmJob(line: line) == nil)
    }
  }

  /// A folder of an attempt that is to have two inputs, of which its program copies one.
  private func order(
    _ folder: TemporaryFolder, script: String = "cp \"$0\" \"$1\"; cp \"$0\" \"$2\""
  )
    throws -> JobDescription
  {
    for name in ["a/input", "b/input"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    let inputs = folder.file("a/input")
    let order = JobDescription(
      stage: Invocation(
        command: [
          "/bin/sh", "-c", script, inputs + "/region.graph", folder.file("a/result"),
          folder.file("a/more"),
        ],
        products: ["result"], timeoutSeconds: 10, graceSeconds: 1),
      handovers: [.init(product: "result", path: folder.file("b/input/result"))],
      ahead: .init(
        inputs: inputs,
        action: ActionCommand(
          region: "west", stage: "copy", key: "",
          components: [
            .init(name: "stage", value: "copy 1"),
            .init(name: "input", value: FollowingAttempt.inputMark("region.graph")),
            .init(name: "trails", value: FollowingAttempt.inputMark("region.trails")),
          ], command: []),
        store: folder.file("store"), product: "result"))
    try folder.write(Array(try encodeJSON(order)), to: "a/order.json")
    return order
  }

  private func writeInputs(_ folder: TemporaryFolder) throws {
    try folder.write("data", to: "a/input/region.graph")
    try folder.write("ways", to: "a/input/region.trails")
  }

  private func digest(_ text: String) -> String {
    let digest = SHA256Digest()
    digest.update(text)
    return digest.finish()
  }

  private func execute(_ folder: TemporaryFolder) throws -> ExitCode {
    try AttemptCommand.run(
      Arguments([folder.file("a")], for: AttemptCommand.definition))
  }

  private func result(_ folder: TemporaryFolder) throws -> ActionResult {
    try JSONDecoder().decode(ActionResult.self, from: Data(try folder.read("a/result.json")))
  }

  @Test("a job finds its key by its inputs and hands over its result")
  func handOver() throws {
    let folder = try TemporaryFolder()
    let order = try order(folder)
    try writeInputs(folder)
    #expect(try execute(folder) == .success)
    #expect(!pathExists(folder.file("a/input")))
    #expect(try folder.read("b/input/result") == Array("data".utf8))
    #expect(try result(folder).outputs["result"]?.bytes == 4)
    let command = try JSONDecoder().decode(
      ActionCommand.self, from: Data(try folder.read("a/command.json")))
    let known = [
      ActionKey.Component(name: "stage", value: "copy 1"),
      ActionKey.Component(name: "input", value: digest("data")),
      ActionKey.Component(name: "trails", value: digest("ways")),
    ]
    #expect(command.key == ActionKey(known).digest)
    let open = try #require(order.ahead).action.components
    #expect(JobDescription.matches(open, known))
    #expect(!JobDescription.matches(open, Array(known.prefix(1))))
    #expect(
      !JobDescription.matches([.init(name: "stage", value: "copy 2")], Array(known.prefix(1))))
  }

  @Test("a job whose result is in the store hands that over and runs nothing")
  func storeHit() throws {
    let folder = try TemporaryFolder()
    let order = try order(folder, script: "exit 70")
    try writeInputs(folder)
    let key = try #require(try order.ahead?.key())
    let known = "store/actions/\(key.digest)"
    try FileManager.default.createDirectory(
      atPath: folder.file(known), withIntermediateDirectories: true)
    try folder.write("known", to: known + "/result")
    var result = ActionResult(reason: "")
    (result.exit, result.reason) = (0, nil)
    result.outputs = ["result": FileRecord(bytes: 5, sha256: "")]
    try folder.write(Array(try encodeJSON(result.json)), to: known + "/result.json")
    #expect(try execute(folder) == .success)
    #expect(try folder.read("b/input/result") == Array("known".utf8))
    #expect(!pathExists(folder.file("a/result.json")))
  }

  @Test("a job that lacks an input, or fails, hands over nothing", arguments: [true, false])
  func failing(hasInput: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try order(folder, script: "cp \"$0\" \"$1\"; exit 65")
    try writeInputs(folder)
    if !hasInput { removeTree(folder.file("a/input/region.graph")) }
    #expect(try execute(folder) == (hasInput ? .dataError : .noInput))
    #expect(!pathExists(folder.file("b/input/result")))
    #expect(try result(folder).exit == (hasInput ? 65 : nil))
    #expect(try result(folder).reason == (hasInput ? nil : "got no input from the previous job"))
  }

  @Test("an invalid job description is refused")
  func badOrder() throws {
    let folder = try TemporaryFolder()
    _ = try order(folder)
    try folder.write("{}", to: "a/order.json")
    #expect(throws: CairnError.self) { try execute(folder) }
  }
}
