// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Execution
import Formatting
import Glibc
import SystemIO

extension SlurmTools {
  /// What `cairn doctor` says about Slurm.
  package static var finding: Finding {
    let names = ["sbatch", "squeue", "scancel"]
    let missing = names.filter { programInPath($0) == nil }
    if missing == names {
      return Finding(.good, "Slurm", "is not installed; regions are built on this machine")
    }
    guard missing.isEmpty else {
      let list = listed(missing)
      return Finding(.note, "Slurm", "has no \(list) in PATH", fix: "put \(list) into PATH")
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    do throws(CairnError) {
      let jobs = try SlurmTools(searchPath: path, timeoutSeconds: 10).queue().filter(\.isAlive)
      return Finding(.good, "Slurm", "answers; \(jobs.count) jobs of yours are in the queue")
    } catch {
      return Finding(.note, "Slurm", error.message, fix: error.hint)
    }
  }
}
