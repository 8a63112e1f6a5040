// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Pipeline
import Planning
import RunCommands
import RunSupport
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("The lock of an output")
struct RunLockTests {
  @Test(
    "whoever gets the output after a run finds its record: two runs never share a number",
    .timeLimit(.minutes(2)))
  func recordWithinLock() throws {
    let world = try World()
    try world.before(.validate, "touch \"$here/at-work\"")
    // Folders of no runs, which make looking for the next number take a while.
    for number in 1...3000 { try makeFolders(world.folder.file("out/.cairn/runs/\(number)")) }
    let code = Mutex<ExitCode?>(nil)
    let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin"), "--quiet"]
    let thread = Thread { code.withLock { $0 = CommandRunner.run(RunCommand.self, words) } }
    thread.start()
    // The stages write it, while the run has the output.
    while !pathExists(world.folder.file("bin/at-work")), !thread.isFinished { sched_yield() }
    let folder = OutputFolder(try Manifest.load(world.folder.file("m.yaml")))
    var lock: FileLock?
    while lock == nil { lock = try? folder.lock() }
    #expect(try RunRecord(store: folder.store).numbers() == [1])
    withExtendedLifetime(lock) {}
    while !thread.isFinished { sched_yield() }
    #expect(code.withLock { $0 } == .success)
  }
}
