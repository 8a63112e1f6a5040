// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import ProfileTrials
import TestSupport
import Testing

@testable import Reports

@Suite("Pages of comparisons")
struct PageTests {
  private static let path = packageRoot + "/Tests/Fixtures/comparison.json"
  private static let hostile = #"</script><img src=x onerror="alert(1)">'&"#

  private func comparison() throws -> ProfileComparison { try ComparisonPage.read(Self.path) }

  private func html(_ comparison: ProfileComparison, leaflet: LeafletFiles? = nil) throws -> String
  {
    try ComparisonPage(comparison, ground: MapGround(), leaflet: leaflet).page().html
  }

  @Test("the same comparison gives the same page")
  func sameBytes() throws { #expect(try html(try comparison()) == html(try comparison())) }

  @Test("a page is known by its first bytes, and nothing else is")
  func signature() throws {
    #expect(ReportPage.isReport(head: Array(try html(try comparison()).utf8.prefix(64))))
    #expect(!ReportPage.isReport(head: Array("<!DOCTYPE html>\n<html>".utf8)))
  }

  @Test("a page has no address that a browser would load")
  func loadsNothing() throws {
    let page = try html(try comparison(), leaflet: LeafletFiles(script: "var L", style: "a{}"))
    for attribute in ["src=\"http", "href=\"//", "url(http", "@import", "src=\"//"] {
      #expect(!page.contains(attribute))
    }
    // What links to elsewhere is an anchor, which only a click opens.
    for part in page.components(separatedBy: "href=\"http").dropLast() {
      #expect(part.hasSuffix("<a "))
    }
    #expect(page.contains("default-src &apos;none&apos;"))
  }

  @Test("hostile names of routes, ways, profiles and suites never become markup")
  func hostileNames() throws {
    var comparison = try comparison()
    comparison.suite = Self.hostile
    comparison.comparedWith.label = Self.hostile
    comparison.candidates[0].profile.label = Self.hostile
    comparison.candidates[0].profile.definition = #"{"a": "</script><img src=x>"}"#
    comparison.candidates[0].changedRoutes[0].name = Self.hostile
    comparison.candidates[0].changedRoutes[0].base.ownWays[0].name = Self.hostile
    comparison.candidates[0].changedRoutes[0].base.hardestGrade = Self.hostile
    comparison.candidates[0].expectations[0].name = Self.hostile
    let page = try html(comparison)
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "</script").count == 2)
    #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"))
  }

  @Test("a library whose text would end its element is not put into a page")
  func hostileLibrary() {
    #expect(LeafletFiles(script: "var a = '</SCRIPT>'", style: "") == nil)
    #expect(LeafletFiles(script: "", style: "</style >") == nil)
    let files = LeafletFiles(
      script: "var L\n//# sourceMappingURL=leaflet.js.map", style: "a{b:url(images/c.png)}")
    #expect(files?.script == "var L" && files?.style == "a{b:data:,}")
  }

  @Test("every changed route is in the list, on the map and has both profiles")
  func routes() throws {
    let comparison = try comparison()
    let page = try html(comparison)
    let count = comparison.candidates[0].changedRoutes.count
    for part in ["<button type=\"button\" data-route", "class=\"route\"", "class=\"card detail\""] {
      #expect(page.components(separatedBy: part).count == count + 1)
    }
    #expect(page.components(separatedBy: "class=\"chart profile").count == 2 * count + 1)
  }

  @Test("errors of times are shown by slope, as bars and in figures")
  func slopes() throws {
    var comparison = try comparison()
    let page = try html(comparison)
    #expect(page.contains("Bias by slope") && page.contains("Errors by slope: base, then"))
    for text in [">0 to 5 %<", ">10 to 20 %<", ">−2 min<", ">+16 min<"] {
      #expect(page.contains(text), "\(text)")
    }
    // A single class says nothing more than all of them together.
    for _ in 0..<2 {
      comparison.candidates[0].total.timeErrors?.base.bySlope.removeLast()
      comparison.candidates[0].total.timeErrors?.candidate.bySlope.removeLast()
      #expect(try !html(comparison).contains("by slope"))
    }
  }

  @Test("gradients and steep descents are shown, and left out of comparisons that lack them")
  func steepness() throws {
    var comparison = try comparison()
    let old = try html(comparison)
    #expect(!old.contains("steepest 100 m") && !old.contains("Gradient"))
    comparison.candidates[0].total.makeup.base.gradients = [
      .init(name: "-40 to -25", metres: 300), .init(name: "-10 to 10", metres: 900),
    ]
    comparison.candidates[0].total.makeup.candidate.gradients = [
      .init(name: "below -40", metres: 500)
    ]
    comparison.candidates[0].total.makeup.base.metres = 1200
    comparison.candidates[0].total.makeup.candidate.metres = 500
    let figures = #"{"steepestAscentPercent": 12.5, "steepestDescentPercent": 31}"#
    comparison.candidates[0].changedRoutes[0].base.steepness = try JSONDecoder().decode(
      SteepnessFigures.self, from: Data(figures.utf8))
    let page = try html(comparison)
    #expect(page.contains("steepest 100 m: ↑ 13 % ↓ 31 %"))
    let steepest = try #require(page.range(of: ">below −40 %<"))
    let next = try #require(page.range(of: ">−40 to −25 %<"))
    #expect(page.contains("Gradient in the direction of travel"))
    #expect(steepest.lowerBound < next.lowerBound)
  }

  @Test("a verdict is about thresholds that there are")
  func verdicts() throws {
    var comparison = try comparison()
    #expect(try html(comparison).contains("verdict bad\">✗ mountain-hiking: 1 threshold broken<"))
    comparison.candidates[0].thresholds.removeFirst()
    #expect(try html(comparison).contains("verdict good\">✓ mountain-hiking: all thresholds are"))
    comparison.candidates[0].thresholds[0].atLeast = -10
    #expect(try html(comparison).contains(">−10<"))
    comparison.candidates[0].thresholds = []
    #expect(
      try html(comparison).contains("verdict soft\">mountain-hiking: the suite sets no thresholds<")
    )
  }

  @Test("a range that begins at no difference begins at 0")
  func ranges() throws {
    let page = try html(try comparison())
    #expect(page.contains(">0 m to +366 m<") && page.contains(">0 min to +41 min<"))
    #expect(!page.contains("no change to"))
  }

  @Test("of reference tracks, the share is shown that routes follow")
  func tracks() throws {
    let page = try html(try comparison())
    #expect(page.contains(">671 m<") && page.contains(">87.1 %<") && page.contains(">90.2 %<"))
  }

  @Test("no figure of a route in the list is broken across lines")
  func unbroken() throws {
    let page = try html(try comparison())
    let rows = page.components(separatedBy: " · ").filter { $0.contains("shared</span>") }
    #expect(rows.count == 4)
    for row in rows { #expect(row.contains("\u{A0}%\u{A0}shared</span>"), "\(row.prefix(40))") }
  }

  @Test("a threshold of a dataset says which one")
  func thresholds() throws {
    var comparison = try comparison()
    #expect(!comparison.candidates[0].thresholds.isEmpty)
    comparison.candidates[0].thresholds[0].dataset = "<alps>"
    #expect(try html(comparison).contains(">&lt;alps&gt;</td>"))
  }

  @Test("numbers that make no sense are shown as such, and trap nothing")
  func absurdNumbers() throws {
    var comparison = try comparison()
    for number in [Double.infinity, -.infinity, .nan, 1e308, -1e308] {
      comparison.candidates[0].changedRoutes[0].base.distanceMetres = number
      comparison.candidates[0].changedRoutes[0].base.seconds = number
      comparison.candidates[0].changedRoutes[0].overlap = number
      comparison.candidates[0].changedRoutes[0].base.coordinates[3] = [number, number]
      comparison.candidates[0].changedRoutes[0].base.elevationProfile.elevations[4] = number
      comparison.candidates[0].pairs[0].base?.seconds = number
      comparison.candidates[0].total.makeup.base.metres = number
      comparison.candidates[0].total.timeErrors?.base.bySlope[0].biasSeconds = number
      comparison.candidates[0].total.timeErrors?.base.bySlope[0].meanAbsoluteSeconds = number
      #expect(try html(comparison).hasSuffix("</html>\n"))
    }
  }

  @Test("what is not a comparison is refused with what to do")
  func notAComparison() {
    for text in ["", "{}", #"{"cairnComparison": 1}"#, "[1, 2]", "\u{0}"] {
      let error = #expect(throws: CairnError.self) {
        try ComparisonPage.read(Array(text.utf8), "a.json")
      }
      #expect(error?.exitCode == .dataError && error?.hint != nil)
    }
  }

  @Test("ways, nodes and relations in a text become links, and all else stays text")
  func links() {
    #expect(
      linked("way 12 has <b>")
        == "way <a href=\"https://www.openstreetmap.org/way/12\" target=\"_blank\" "
        + "rel=\"noopener noreferrer\">12</a> has &lt;b&gt;")
    #expect(linked("Pic (n45) at 42.5,1.25: 3 m").contains(">node 45</a>) at "))
    #expect(linked("Pic (n45) at 42.5,1.25: 3 m").contains("/node/45\""))
    #expect(linked("Pic (n45) at 42.5,1.25: 3 m").contains("#map=17/42.5/1.25\""))
    #expect(linked("(now) 1,2 and 99.5,1.5 (n)") == "(now) 1,2 and 99.5,1.5 (n)")
    #expect(linked("way of node x") == "way of node x")
  }
}
