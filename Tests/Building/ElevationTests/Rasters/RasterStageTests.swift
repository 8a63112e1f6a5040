// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Elevation

@Suite("cairn-sample-elevation --tile", .enabled(if: hasGDAL, "GDAL is not installed"))
struct RasterStageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ rasters: [String], _ words: String..., tile: String = "N42E001") -> (
    code: ExitCode, report: StageReport?
  ) {
    let report = folder.file("report.json")
    let code = CommandRunner.run(
      SampleElevationCommand.self,
      ["--tile", tile, "--output", folder.file("\(tile).hgt"), "--report", report, "-q"]
        + rasters.flatMap { ["--raster", $0] } + words)
    let said = (try? folder.read("report.json")).flatMap { StageReport(json: Array($0)) }
    return (code, said)
  }

  private func degree() -> RasterDrawing {
    .degree(42, 1, columns: 120, rows: 120, value: hills)
  }

  @Test("a GeoTIFF becomes a tile, with the same bytes each time, and nothing else is left")
  func makes() throws {
    let raster = try degree().writeTIFF(
      "dem", in: folder, options: ["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3"])
    let before = try folderContents(folder.path)
    let (code, report) = run([raster], "--gdal", try GDAL().version)
    #expect(code == .success)
    #expect(report?.output["intervals"] == 120 && report?.output["known"] == 14_400)
    #expect(report?.output["gdal"] == .text(try GDAL().version))
    let bytes = try folder.read("N42E001.hgt")
    #expect(bytes.count == 121 * 121 * 2)
    #expect(
      try folderContents(folder.path).filter { !before.contains($0) } == [
        "N42E001.hgt", "report.json",
      ])
    #expect(run([raster]).code == .cannotCreate, "a file that is there is kept")
    unlink(folder.file("N42E001.hgt"))
    #expect(run([raster], "--threads", "1").code == .success)
    #expect(try folder.read("N42E001.hgt") == bytes)
  }

  @Test("of rasters of several resolutions the coarsest decides, with a warning")
  func mixed() throws {
    let fine = try RasterDrawing.degree(42, 1, columns: 600, rows: 600, value: hills)
      .write("fine", in: folder)
    let (code, report) = run([try degree().write("coarse", in: folder), fine])
    #expect(code == .success && report?.output["intervals"] == 120)
    #expect(report?.warnings.map(\.kind) == ["mixed-resolution"])
    #expect(
      report?.warnings.first?.examples.first?.hasPrefix("\(fine) is finer than other rasters")
        == true)
  }

  @Test("a raster that has nothing of the tile gives the smallest one, without elevations")
  func empty() throws {
    #expect(run([try degree().write("dem", in: folder)], tile: "N10E010").code == .success)
    let bytes = try folder.read("N10E010.hgt")
    #expect(bytes.count == 121 * 121 * 2)
    #expect(stride(from: 0, to: bytes.count, by: 2).allSatisfy { bytes[$0] == 0x80 })
  }

  @Test(
    "what cannot be used is refused, with what it is and what to do",
    arguments: [
      ("no-projection", "has no projection", "-a_srs"),
      ("no-place", "has no projection", "-a_srs"),
      ("two-bands", "has 2 bands", "-b 1"), ("unit", "in “fathom”", "-units m"),
      ("cut", "cut.tif: cannot be read for N42E001", "is it complete?"),
      ("head", "head.tif", "download it again"),
      ("text", "GDAL cannot open it", "is it a complete raster"),
      ("gone", "no such file", "gone"), ("empty", "GDAL cannot open it", "is it a complete raster"),
    ])
  func refuses(kind: String, message: String, hint: String) throws {
    let path = try bad(kind)
    let (code, report) = run([path])
    #expect(code == (kind == "gone" ? .noInput : .dataError))
    let text = report?.error?.message ?? ""
    #expect(text.contains(message) && text.contains(hint), "\(text)")
    #expect(text.contains(splitPath(path).name), "\(text)")
    #expect(!pathExists(folder.file("N42E001.hgt")))
  }

  private func bad(_ kind: String) throws -> String {
    var drawing = degree()
    switch kind {
    case "no-projection":
      drawing.projection = nil
      return try drawing.writeTIFF(kind, in: folder)
    case "no-place":
      let source = try drawing.write(kind, in: folder)
      return try convert(
        source, ["-of", "PNG", "-ot", "UInt16", "-co", "WORLDFILE=NO"], "plain.png")
    case "two-bands":
      return try convert(try drawing.write(kind, in: folder), ["-b", "1", "-b", "1"], "two.tif")
    case "unit":
      drawing.details = "<UnitType>fathom</UnitType>"
      return try drawing.write(kind, in: folder)
    case "cut", "head":
      // The table of contents of a COG comes first, that of other GeoTIFFs may be in the middle.
      let path = try drawing.writeTIFF(
        kind, in: folder, options: kind == "cut" ? ["-of", "COG"] : [])
      let bytes = try folder.read("\(kind).tif")
      unlink(path)
      return try folder.write(Array(bytes.prefix(kind == "cut" ? 3000 : 300)), to: "\(kind).tif")
    case "text": return try folder.write("north 42", to: "text.tif")
    case "empty": return try folder.write([UInt8](), to: "empty.tif")
    default: return folder.file("gone.tif")
    }
  }

  private func convert(_ source: String, _ words: [String], _ name: String) throws -> String {
    let path = folder.file(name)
    let ending = try runProcess("/usr/bin/gdal_translate", ["-q"] + words + [source, path])
    guard ending.status == 0 else { throw TestFailure(ending.stderr) }
    unlink("\(path).aux.xml")
    return path
  }

  @Test("a virtual raster of eighty gigabytes is read where the tile is")
  func virtual() throws {
    let small = try degree().write("small", in: folder)
    // 200 000 × 100 000 pixels of 4 bytes, of which a square has something in it.
    let path = try folder.write(
      """
      <VRTDataset rasterXSize="200000" rasterYSize="100000"><SRS>EPSG:4326</SRS>
      <GeoTransform>-19,0.0005,0,53,0,-0.0005</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1"><NoDataValue>-9999</NoDataValue>
      <ComplexSource><SourceFilename relativeToVRT="0">\(small)</SourceFilename>
      <SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="120" ySize="120"/>
      <DstRect xOff="40000" yOff="20000" xSize="2000" ySize="2000"/><NODATA>-9999</NODATA>
      </ComplexSource></VRTRasterBand></VRTDataset>
      """, to: "huge.vrt")
    let (code, report) = run([path])
    #expect(code == .success)
    #expect(report?.output["intervals"] == 1800)
    guard case .integer(let known)? = report?.output["known"] else { throw TestFailure("no count") }
    #expect(known > 1790 * 1790)
  }

  @Test(
    "a command line that is of both kinds, or of none, is refused",
    arguments: [
      ["--tile", "N42E001", "--output", "x"], ["--tile", "N42", "--raster", "x", "--output", "x"],
      ["--tile", "N42E001", "--raster", "x", "--input", "x", "--output", "x"],
      ["--raster", "x", "--input", "x", "--hgt", "x", "--output", "x"],
      ["--input", "x", "--output", "x"], ["--hgt", "x", "--output", "x"],
      ["--tile", "N42E001", "--raster", "x", "--resolution", "5", "--output", "x"],
    ])
  func usage(words: [String]) {
    #expect(CommandRunner.run(SampleElevationCommand.self, words + ["-q"]) == .usage)
  }

  @Test("another version of GDAL than the key names is refused")
  func version() throws {
    let raster = try degree().write("dem", in: folder)
    let (code, report) = run([raster], "--gdal", "1.2.3")
    #expect(code == .noInput)
    #expect(report?.error?.message.contains("but 1.2.3 was expected") == true)
  }
}
