// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import Glibc
import SystemIO

/// The records of bundles and of output folders, which may come from anywhere.
let bundleTargets: [FuzzTarget] = [
  FuzzTarget("bundlejson") { bytes in
    try withFile(bytes, named: "bundle.json") { try verify(splitPath($0).folder) }
  },
  FuzzTarget("indexjson") { bytes in
    try withFile(bytes, named: "index.json") { try verify(splitPath($0).folder) }
  },
  // With a record of the bundle by which it is what it should be.
  FuzzTarget("regionjson") { bytes in
    try withFile(bytes, named: "region.json") { path in
      let folder = splitPath(path).folder
      let digest = SHA256Digest()
      digest.update(bytes)
      let record = """
        {"cairn": 1, "id": "a", "name": "A", "generator": "", "licence": "", "attribution": "",
         "source": {"name": "", "sha256": ""}, "elevationCoverage": 0,
         "counts": {"nodes": 0, "edges": 0, "components": 0},
         "files": {"region.json": {"bytes": \(bytes.count), "sha256": "\(digest.finish())"}}}
        """
      try AtomicOutput.write(Array(record.utf8), to: joinPath(folder, "bundle.json")) { _ in true }
      let result = Result { try verify(folder) }
      try removeFile(joinPath(folder, "bundle.json"))
      try result.get()
    }
  },
]

/// Verifies a folder, and asks for what the other commands ask for.
private func verify(_ folder: String) throws {
  let found = try expectTypedError { try OutputVerification(folder, threads: 1) }
  if let found {
    for bundle in found.bundles {
      try expect(bundle.text.hasSuffix("\n"), "the outcome does not end a line")
      _ = bundle.json
    }
    for finding in found.findings + found.bundles.flatMap(\.findings) {
      try expect(!finding.message.isEmpty && !finding.advice.isEmpty, "a finding without words")
    }
  }
  try expectTypedError {
    let bundle = try BundleFolder(folder)
    // Files may be missing, too.
    func expectPath(_ path: () throws(CairnError) -> String) throws {
      do throws(CairnError) { _ = try path() } catch {
        try expect([.dataError, .noInput].contains(error.exitCode), "ends with \(error.exitCode)")
      }
    }
    for name in bundle.fileNames {
      try expectPath { () throws(CairnError) in try bundle.pathOfFile(name) }
    }
    try expectPath(bundle.routingDatabase)
    return try bundle.foreignNames()
  }
}

private func removeFile(_ path: String) throws {
  try expect(unlink(path) == 0, "cannot remove \(path)")
}
