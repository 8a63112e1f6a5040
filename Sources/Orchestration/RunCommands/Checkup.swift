// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CExpat
import CLZ4
import CNettle
import CYAML
import CZlib
import CZstd
import CairnCSQLite
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Elevation
import Execution
import Glibc
import Manifests
import Pipeline
import Planning
import ResultStore
import SystemIO

/// Checks whether this machine can build.
struct Checkup {
  /// The folder of the stages' executables.
  let binaries: String
  /// The manifest to build, if given.
  let manifest: String?

  /// The free disk and memory in bytes below which something is wrong, or worth a note.
  private static let leastDisk = (wrong: 1_000_000_000, note: 10_000_000_000)
  private static let leastMemory = (wrong: 512 << 20, note: 2 << 30)
  private static let leastFiles = 256

  /// All findings.
  var all: [Finding] {
    var findings = programs + [libraries, processors, memory] + limits
    let loaded = manifest.map { path in
      Result { () throws(CairnError) -> Manifest in
        let manifest = try Manifest.load(argument: path)
        try manifest.checkFiles(regions: manifest.regions)
        return manifest
      }
    }
    switch loaded {
    case .success(let manifest)?:
      findings.append(
        Finding(.good, "manifest", "\(counted(manifest.regions.count, "region")), all files exist"))
      findings.append(rasters(areNeeded: manifest.elevationFolders().contains(where: \.hasRasters)))
      findings += data(manifest)
      findings += disk(manifest.output)
      if manifest.sources.values.contains(where: { $0.path.hasPrefix("https:") }) {
        findings.append(certificates)
      }
    case .failure(let error)?:
      findings.append(
        Finding(
          .wrong, "manifest", error.description.split(separator: "\n").joined(separator: "; "),
          fix: "run cairn manifest check to list all errors"))
      findings += disk(".")
    case nil: findings += disk(".") + [rasters(areNeeded: false)]
    }
    return findings + ExecutorChoice.findings
  }

  /// The sources, their servers, and the elevation tiles.
  private func data(_ manifest: Manifest) -> [Finding] {
    do throws(CairnError) {
      return try DataCheckup(manifest, StagePrograms(folder: binaries)).results().map(\.finding)
    } catch { return [Finding(.wrong, "manifest", error.description)] }
  }

  private var programs: [Finding] {
    (["cairn"] + Stage.executables).map(program) + viewer
  }

  /// The viewer builds nothing, so only a failure to run counts.
  private var viewer: [Finding] {
    pathExists(joinPath(binaries, "cairn-serve")) ? [program("cairn-serve")] : []
  }

  private func program(_ name: String) -> Finding {
    let path = joinPath(binaries, name)
    let rebuild = "build all of them into one folder (make build), or give the folder with --bin"
    guard access(path, X_OK) == 0, isFile(path) else {
      return Finding(
        .wrong, name, "is missing from \(binaries), or is not executable", fix: rebuild)
    }
    let identity = (try? DigestCache("").identity(ofExecutable: path)) ?? "unreadable"
    let (status, output) = versionOutput(path)
    guard status == 0 else {
      let loader = "its libraries may be missing: ldd \(path)"
      return Finding(.wrong, name, "does not run: \(output)", fix: loader)
    }
    let version = output.split(separator: " ").last.map(String.init) ?? ""
    guard version == cairnVersion else {
      return Finding(
        .wrong, name, "is version \(version), but this is \(cairnVersion)", fix: rebuild)
    }
    let short = identity.replacing("build-id ", with: "").prefix(12)
    return Finding(.good, name, "\(version), build \(short)")
  }

  /// A program's `--version` output and exit status.
  private func versionOutput(_ path: String) -> (status: Int32, output: String) {
    do {
      let folder = try newFolder(named: joinPath(temporaryFolder(), "cairn-doctor-"))
      defer { removeTree(folder) }
      let process = try Subprocess(
        path, ["--version"], standardOutput: .file(joinPath(folder, "out")),
        standardError: .file(joinPath(folder, "err")))
      let status = process.wait().exitStatus ?? -1
      // An installed program prints more after the line with its version.
      let line =
        status == 0
        ? lastLines(joinPath(folder, "out"), .max).first
        : lastLines(joinPath(folder, "err"), 1).last
      return (status, line ?? "nothing was printed")
    } catch { return (-1, asCairnError(error).message) }
  }

  /// The programs of GDAL, needed only for rasters of elevations.
  private func rasters(areNeeded: Bool) -> Finding {
    do throws(CairnError) {
      return Finding(.good, "GDAL", "\(try GDAL().version), for elevation rasters")
    } catch {
      return Finding(
        areNeeded ? .wrong : .note, "GDAL", "\(error.message); needed only for elevation rasters",
        fix: "apt-get install gdal-bin")
    }
  }

  private var libraries: Finding {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? "?"
    }
    let versions = [
      "zlib \(text(zlibVersion()))", "libdeflate \(LIBDEFLATE_VERSION_STRING)",
      "lz4 \(text(LZ4_versionString()))", "zstd \(text(ZSTD_versionString()))",
      "sqlite \(text(sqlite3_libversion()))", "expat \(expatVersion)",
      "libyaml \(text(yaml_get_version_string()))",
      "nettle \(nettle_version_major()).\(nettle_version_minor())",
    ]
    return Finding(.good, "libraries", versions.joined(separator: ", "))
  }

  private var expatVersion: String {
    let version = XML_ExpatVersionInfo()
    return "\(version.major).\(version.minor).\(version.micro)"
  }

  private var processors: Finding {
    Finding(.good, "processors", "\(availableProcessors())")
  }

  private var memory: Finding {
    guard let available = availableMemory() else {
      return Finding(.note, "memory", "cannot read the available memory from /proc/meminfo")
    }
    let verdict: Finding.Verdict =
      available < Self.leastMemory.wrong
      ? .wrong : available < Self.leastMemory.note ? .note : .good
    return Finding(
      verdict, "memory", "\(byteSize(available)) available",
      fix: verdict == .good ? nil : "end other programs, or run fewer stages at a time: --jobs 1")
  }

  private var limits: [Finding] {
    let files = Self.limit(RLIMIT_NOFILE)
    let size = Self.limit(RLIMIT_FSIZE)
    let space = Self.limit(RLIMIT_AS)
    var findings = [
      files.map { $0 < Self.leastFiles } == true
        ? Finding(
          .wrong, "open files", "at most \(files ?? 0); \(Self.leastFiles) are required",
          fix: "ulimit -n 1024")
        : Finding(.good, "open files", files.map { "at most \($0)" } ?? "no limit")
    ]
    if let size {
      findings.append(
        Finding(
          .wrong, "size of files", "at most \(byteSize(size))", fix: "ulimit -f unlimited"))
    }
    if let space {
      findings.append(
        Finding(
          .note, "address space",
          "at most \(byteSize(space)) a program; files are mapped into it",
          fix: "ulimit -v unlimited"))
    }
    return findings
  }

  /// A limit of this process; nil if there is none.
  private static func limit(_ resource: __rlimit_resource) -> Int? {
    var limit = rlimit()
    guard getrlimit(Int32(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
      return nil
    }
    return Int(clamping: limit.rlim_cur)
  }

  private func disk(_ folder: String) -> [Finding] {
    var existing = folder
    while !pathExists(existing), splitPath(existing).folder != existing {
      existing = splitPath(existing).folder
    }
    var findings: [Finding] = []
    if access(existing, W_OK | X_OK) != 0 {
      findings.append(
        Finding(
          .wrong, "output", "\(existing): \(systemMessage(errno))",
          fix: "choose another output, or get permission to write there"))
    }
    var status = statvfs()
    guard statvfs(existing, &status) == 0 else {
      return findings + [
        Finding(.note, "disk", "\(existing): \(systemMessage(errno))")
      ]
    }
    let free = Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
        by: UInt64(status.f_frsize)
      ).partialValue)
    let verdict: Finding.Verdict =
      free < Self.leastDisk.wrong ? .wrong : free < Self.leastDisk.note ? .note : .good
    findings.append(
      Finding(
        verdict, "disk", "\(byteSize(free)) free at \(existing)",
        fix: verdict == .good ? nil : "free some space, or choose an output on another disk"))
    if status.f_files > 0, status.f_favail < 1000 {
      findings.append(
        Finding(
          .wrong, "disk", "there is room for only \(status.f_favail) more files",
          fix: "remove old files"))
    }
    return findings
  }

  private var certificates: Finding {
    let paths = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    guard let path = paths.first(where: pathExists) else {
      return Finding(
        .wrong, "certificates", "not installed; https servers cannot be verified",
        fix: "apt-get install ca-certificates")
    }
    return Finding(.good, "certificates", path)
  }
}
