// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Elevation

@Suite("What a raster makes GDAL open", .enabled(if: hasGDAL, "GDAL is not installed"))
struct RasterSourcesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func raster() -> RasterDrawing {
    .degree(42, 1, columns: 12, rows: 12) { x, _ in x }
  }

  /// A VRT that takes what a source has.
  private func vrt(_ source: String, _ name: String = "outer.tif", isRelative: Bool = true) throws
    -> String
  {
    try folder.write(
      """
      <?xml version="1.0"?><VRTDataset rasterXSize="12" rasterYSize="12"><SRS>EPSG:4326</SRS>
      <GeoTransform>1,0.1,0,43,0,-0.1</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1"><SimpleSource>
      <SourceFilename relativeToVRT="\(isRelative ? 1 : 0)">\(source)</SourceFilename>
      <SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
      """, to: name)
  }

  private func refusal(_ path: String, within: String? = nil) throws -> String? {
    do throws(CairnError) {
      _ = try RasterInfo(path, GDAL(), within: within ?? folder.path)
      return nil
    } catch {
      #expect(error.code == .badRaster && error.exitCode == .dataError, "\(error)")
      return error.message
    }
  }

  @Test(
    "a description of a server is refused, whatever its name",
    arguments: [
      "<GDAL_WMS><Service name='TMS'><ServerUrl>http://127.0.0.1/</ServerUrl></Service></GDAL_WMS>",
      " \n<WCS_GDAL><ServiceURL>http://127.0.0.1/</ServiceURL></WCS_GDAL>",
      "<GDAL_WMTS><GetCapabilitiesUrl>http://127.0.0.1/</GetCapabilitiesUrl></GDAL_WMTS>",
      "<MRF_META><CachedSource><Source>/vsicurl/http://127.0.0.1/a</Source></CachedSource></MRF_META>",
      "\u{FEFF}<Capabilities/>", #"{"stac_version": "1.0.0", "type": "Feature"}"#,
    ])
  func servers(content: String) throws {
    let path = try folder.write(content, to: "dem.tif")
    #expect(try refusal(path)?.contains("not a raster") == true)
    #expect(try refusal(vrt("dem.tif"))?.contains("not a raster") == true)
  }

  @Test(
    "a VRT with a source that is no file is refused",
    arguments: [
      "/vsicurl/http://127.0.0.1/a.tif", "/vsis3/bucket/a.tif",
      "&#47;vsicurl/http://127.0.0.1/a.tif",
      "/vsizip//vsicurl/http://127.0.0.1/a.zip/a.tif", "http://127.0.0.1/a.tif",
      "WMS:http://127.0.0.1/",
      "vrt://http://127.0.0.1/", "&lt;GDAL_WMS/&gt;", "<![CDATA[/vsicurl/http://127.0.0.1/a.tif]]>",
      "missing.tif", "", "/dev/null",
    ])
  func noFiles(source: String) throws {
    for isRelative in [true, false] {
      let path = try vrt(source, isRelative: isRelative)
      #expect(try refusal(path)?.contains("which is not a file on this machine") == true)
      let nested = try vrt("outer.tif", "nested.vrt")
      #expect(try refusal(nested)?.contains("which is not a file on this machine") == true)
    }
  }

  @Test("names of elements and of keys count in any case, and so do the models of transformers")
  func otherElements() throws {
    for element in [
      "<SOURCEFILENAME>/vsicurl/x</SOURCEFILENAME>", "<SourceDataset>/vsicurl/x</SourceDataset>",
      "<MDI key='X_DATASET'>/vsicurl/x</MDI>", "<DEMPath>/vsicurl/x</DEMPath>",
      "<MDI key='OVERVIEW_FILE'>/vsicurl/x</MDI>",
    ] {
      let path = try folder.write("<vrtdataset><A>\(element)</A></vrtdataset>", to: "x.vrt")
      #expect(try refusal(path)?.contains("/vsicurl/x") == true, "\(element)")
    }
  }

  @Test("the sources of a VRT lie in the folder of the manifest or in its own")
  func outside() throws {
    let other = try TemporaryFolder()
    let foreign = try raster().writeTIFF("foreign", in: other)
    #expect(try refusal(vrt(foreign))?.contains("outside the folder of the manifest") == true)
    _ = try vrt(foreign, "inner.vrt")
    #expect(try refusal(vrt("inner.vrt"))?.contains("outside the folder of the manifest") == true)
    #expect(try refusal(vrt(foreign), within: other.path) == nil)
    _ = try raster().writeTIFF("own", in: folder)
    #expect(try refusal(vrt("own.tif")) == nil)
    #expect(try refusal(vrt("own.tif"), within: other.path) == nil)
    // One that contains itself ends.
    _ = try? refusal(vrt("outer.tif"))
  }

  @Test("GDAL itself asks no server, whatever it is given")
  func offline() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    try #require(isBound && listen(listener, 8) == 0)
    let server = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let service = try folder.write(
      "<WCS_GDAL><ServiceURL>\(server)/?</ServiceURL><CoverageName>a</CoverageName></WCS_GDAL>",
      to: "wcs.xml")
    let gdal = try GDAL()
    for name in [
      "/vsicurl/\(server)/a.tif", "/vsicurl_streaming/\(server)/a.tif", "\(server)/a.tif", service,
      "WMS:\(server)/?SERVICE=WMS", "WMTS:\(server)/wmts",
    ] {
      let ending = try gdal.run("gdalinfo", [name], timeoutSeconds: 60)
      #expect(!ending.isSuccess && !ending.wasStopped, "\(name)")
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 0) == 0, "\(name)")
    }
  }

  @Test("a name that begins as an option is a file, and one with a line break is refused")
  func names() throws {
    for name in ["-of", "--config", "WMS:x"] {
      let path = try raster().writeTIFF("plain", in: folder)
      try #require(rename(path, folder.file("\(name).tif")) == 0)
      let info = try RasterInfo(folder.file("\(name).tif"), GDAL())
      #expect(info.files == [folder.file("\(name).tif")])
    }
    #expect(GDAL.word("-of.tif") == "./-of.tif" && GDAL.word("/a/-b") == "/a/-b")
    let path = try raster().writeTIFF("plain", in: folder)
    let broken = folder.file("a\nb.tif")
    try #require(rename(path, broken) == 0)
    #expect(try refusal(broken) == "has a line break in its path")
  }
}
