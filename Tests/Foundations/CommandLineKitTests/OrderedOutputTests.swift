// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Synchronization
import Testing

@Suite("Output of workers")
struct OrderedOutputTests {
  @Test("is printed in the order of its blocks, as soon as those before are there")
  func order() throws {
    let printed = Mutex<[String]>([])
    let output = OrderedOutput { text throws(CairnError) in printed.withLock { $0.append(text) } }
    try output.add("c", block: 2)
    #expect(printed.withLock { $0 } == [])
    try output.add("a", block: 0)
    #expect(printed.withLock { $0 } == ["a"])
    try output.add("b", block: 1)
    #expect(printed.withLock { $0 } == ["a", "b", "c"])
    try output.add("d", block: 3)
    #expect(printed.withLock { $0 } == ["a", "b", "c", "d"])
  }
}
