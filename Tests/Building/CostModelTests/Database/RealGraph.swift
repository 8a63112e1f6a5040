// SPDX-License-Identifier: Apache-2.0
import Elevation
import OSMInput
import RoutingGraph
import TestSupport

/// Takes an extract as far as a graph and returns its path.
func graphFile(of extract: String, hgt: String, in folder: TemporaryFolder) throws -> String {
  let files = ElevatedFiles(in: folder, name: "real")
  let graph = folder.file("real.graph")
  try runStage(DecodePBFCommand.self, ["--input", extract, "--output", files.trails])
  try runStage(
    SampleElevationCommand.self,
    ["--input", files.trails, "--hgt", hgt, "--output", files.elevated])
  try runStage(BuildGraphCommand.self, files.arguments + ["--output", graph])
  return graph
}
