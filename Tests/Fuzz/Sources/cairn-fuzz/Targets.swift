// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import OSMInput
import TrailData

/// A test of one input; libFuzzer wants a zero.
typealias FuzzTest = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// All targets by name.
let targets: [String: FuzzTest] = [
  // A whole PBF file: framing, blobs, and what is in them.
  "pbf": { bytes, count in
    withFile(bytes, count) { path in
      readPBF(path)
    }
  },
  // The content of one block, so that the fuzzer needs no compression and no sizes of blobs.
  "block": { bytes, count in
    withFile(bytes, count, prefix: blockPrefix(count)) { path in
      readPBF(path)
    }
  },
  "xml": { bytes, count in
    withFile(bytes, count) { path in
      expectTypedError { _ = try OverpassParser(path).parse() }
    }
  },
  "region": { bytes, count in
    withFile(bytes, count) { path in
      expectTypedError { _ = try RegionFile.read(path) }
    }
  },
  // Files between two stages.
  "container": { bytes, count in
    withFile(bytes, count) { path in
      expectTypedError { _ = try TrailsFile(path) }
      expectTypedError { _ = try GraphFile(path) }
    }
  },
]

/// Extract and survey decode the same file by code of their own; both must say the same of it.
private func readPBF(_ path: String) {
  var extract: OSMExtract?
  var survey: PBFSurvey?
  expectTypedError { extract = try PBFParser(path, threads: 2).parse() }
  expectTypedError { survey = try PBFSurvey(path, tallying: ["highway"], threads: 2) }
  guard let extract, let survey else { return }
  precondition(extract.counts.nodes == survey.nodes.count, "nodes are counted differently")
  precondition(extract.counts.ways == survey.ways.count, "ways are counted differently")
  precondition(extract.counts.relations == survey.relations.count, "relations")
}

/// Runs code that may throw an error about its input, and no other.
private func expectTypedError(_ body: () throws -> Void) {
  do { try body() } catch {
    guard let error = error as? CairnError else { fatalError("an untyped error: \(error)") }
    precondition(error.exitCode == .dataError, "not the input's fault: \(error)")
    precondition(!error.description.isEmpty)
  }
}
