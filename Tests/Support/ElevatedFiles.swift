// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The paths of a `.trails` file and of the `.elevated` file with its elevations.
package struct ElevatedFiles {
  package let trails: String
  package let elevated: String

  /// Names the files `NAME.trails` and `NAME.elevated`.
  package init(in folder: TemporaryFolder, name: String) {
    trails = folder.file(name + ".trails")
    elevated = folder.file(name + ".elevated")
  }

  /// The options of a stage that reads them.
  package var arguments: [String] { ["--input", elevated, "--trails", trails] }

  /// Opens them.
  package func open(threads: Int = 1) throws -> TrailsFile {
    try TrailsFile(trails, elevated: elevated, threads: threads)
  }
}

extension TrailsFile {
  /// The indices of the samples between a ref and the next one of its way.
  package func samples(afterRef ref: Int) -> Range<Int> {
    guard let sampleRefs else { return 0..<0 }
    return sampleRefs.partitioningIndex { $0 >= ref }..<sampleRefs.partitioningIndex { $0 > ref }
  }
}
