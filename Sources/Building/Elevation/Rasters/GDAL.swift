// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Glibc
import SystemIO

extension CairnError.Code {
  /// A raster cannot be read as elevations.
  package static let badRaster: Self = "bad-raster"
}

/// The programs of GDAL, which read rasters of any format and projection: `gdal-bin` of Debian.
package struct GDAL: Sendable {
  /// Its version, such as `3.6.2`: another one may interpolate otherwise.
  package let version: String
  private let folder: String

  /// The programs that are used.
  package static let programs = ["gdalinfo", "gdalbuildvrt", "gdalwarp"]
  /// The memory in MiB for blocks of rasters and for warping, whatever the machine has: what is warped
  /// in one piece depends on it.
  private static let memoryMiB = "64"
  private static let outputLimit = 64 << 20
  private static let noteLimit = 1 << 14

  /// Finds the programs in `PATH`. Throws 66 if one is missing or does not run.
  package init() throws(CairnError) {
    let missing = Self.programs.filter { programInPath($0) == nil }
    guard missing.isEmpty, let path = programInPath("gdalwarp") else {
      throw CairnError(
        .cannotStart, .noInput, "\(listed(missing)) of GDAL not found, needed to read rasters",
        hint: "install it: apt-get install gdal-bin")
    }
    folder = splitPath(path).folder
    let ending = try Self.run(path, ["--version"], timeoutSeconds: 60)
    // “GDAL 3.6.2, released 2023/01/02”.
    let words = String(decoding: ending.output.prefix(100), as: UTF8.self).split {
      " ,\n".contains($0)
    }
    guard ending.isSuccess, words.count > 1, words[0] == "GDAL" else {
      throw CairnError(
        .cannotStart, .noInput, "does not print its version: \(ending.firstNote)",
        at: Location(file: path), hint: "install GDAL again: apt-get install gdal-bin")
    }
    version = String(words[1])
  }

  /// How a program ended.
  struct Ending {
    /// Its output.
    var output: [UInt8] = []
    /// The beginning of its messages on stderr.
    var notes: [UInt8] = []
    var isSuccess = false
    /// Whether it was stopped for taking too long, or printing too much.
    var wasStopped = false

    /// Its first error, without the number in front of it, or else the first line of stderr.
    var firstNote: String {
      let lines = String(decoding: notes, as: UTF8.self).split(whereSeparator: \.isNewline)
      let line = lines.first { $0.hasPrefix("ERROR") } ?? lines.first { !$0.contains("GDAL_SKIP") }
      guard let line else {
        return wasStopped ? "it took too long" : "it printed nothing"
      }
      let text = line.hasPrefix("ERROR") ? line.drop { $0 != ":" }.dropFirst() : line
      return printable(String(text.drop { $0 == " " }.prefix(300)))
    }
  }

  /// Runs one of the programs.
  ///
  /// - Parameter timeoutSeconds: The time limit.
  func run(_ program: String, _ words: [String], timeoutSeconds: Double = .infinity)
    throws(CairnError) -> Ending
  {
    let options = [("GDAL_CACHEMAX", Self.memoryMiB), ("GDAL_NUM_THREADS", "1")]
    return try Self.run(
      joinPath(folder, program), options.flatMap { ["--config", $0.0, $0.1] } + words,
      timeoutSeconds: timeoutSeconds)
  }

  /// The environment in which GDAL asks no servers and runs no code of a raster's. Without the drivers
  /// for servers, `/vsicurl` and its like remain: of these only a file may be opened that is none, and
  /// whatever else asks a server is sent to a port of this machine at which nothing listens.
  private static let offline: [String: String] = {
    let proxies = [
      "GDAL_HTTP_PROXY", "GDAL_HTTPS_PROXY", "http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY",
      "HTTPS_PROXY", "ALL_PROXY",
    ]
    var variables = Dictionary(uniqueKeysWithValues: proxies.map { ($0, "http://127.0.0.1:9") })
    variables["no_proxy"] = ""
    variables["NO_PROXY"] = ""
    variables["GDAL_SKIP"] = [
      "WCS", "WMS", "WMTS", "HTTP", "PLMOSAIC", "NGW", "DAAS", "EEDAI", "OGCAPI", "STACTA",
      "STACIT",
      "PostGISRaster", "GeoRaster", "GTI",
    ].joined(separator: " ")
    variables["CPL_VSIL_CURL_ALLOWED_FILENAME"] = "/vsicurl/none"
    variables["GDAL_VRT_ENABLE_PYTHON"] = "NO"
    variables["PROJ_NETWORK"] = "OFF"
    return variables
  }()

  /// A path as a word for the programs, which take `-x.tif` for an option and `WMS:x` for a server.
  static func word(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  /// The options of `gdalwarp` that fix how much it warps in one piece.
  static let warpMemory = ["-wm", memoryMiB]

  private static func run(_ path: String, _ words: [String], timeoutSeconds: Double)
    throws(CairnError) -> Ending
  {
    let (printed, said) = (try OutputPipe(), try OutputPipe())
    // Signals that end a stage also end its child.
    let process = try Subprocess(
      path, words, standardOutput: .pipe(printed), standardError: .pipe(said), sharingGroup: true,
      variables: offline)
    let end = monotonicSeconds() + timeoutSeconds
    var ending = Ending()
    let result = process.wait(reading: [printed, said]) { pipe, bytes in
      if pipe == 0, ending.output.count < outputLimit {
        ending.output.append(contentsOf: bytes)
      } else if pipe == 0 {
        ending.wasStopped = true
      } else if ending.notes.count < noteLimit {
        ending.notes.append(contentsOf: bytes)
      }
    } tick: {
      if monotonicSeconds() > end { ending.wasStopped = true }
      if ending.wasStopped { process.send(SIGKILL) }
    }
    ending.isSuccess = result.exitStatus == 0 && !ending.wasStopped
    return ending
  }
}
