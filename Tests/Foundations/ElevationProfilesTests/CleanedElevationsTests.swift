// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnElevationProfiles

@Suite("Climb along one line")
struct CleanedElevationsTests {
  private func cleaned(
    _ elevations: [Double], step: Double = 20, _ smoothing: ElevationSmoothing = .standard
  ) -> CleanedElevations {
    CleanedElevations(
      metres: elevations.indices.map { Double($0) * step }, elevations: elevations, smoothing)
  }

  @Test("ascent less descent is the difference between the ends")
  func balance() {
    let line = (0..<200).map { (index: Int) -> Double in
      1000 + Double((index * 37) % 23) + Double(index)
    }
    for smoothing in [ElevationSmoothing.standard, .barometric, .none] {
      let climb = cleaned(line, smoothing).climb
      #expect(abs(climb.ascent - climb.descent - (line[199] - line[0])) < 1e-6)
    }
    #expect(cleaned(line, .none).elevations == line)
  }

  @Test("short gaps are even slopes, long ones are unknown")
  func gaps() {
    var line = (0..<100).map { 500 + Double($0) }
    for index in 10..<20 { line[index] = .nan }
    for index in 40..<80 { line[index] = .infinity }
    let result = cleaned(line)
    #expect(result.elevations[10..<20].allSatisfy { !$0.isNaN })
    #expect(result.elevations[40..<80].allSatisfy { $0.isNaN })
    #expect(abs(result.climb.ascent - 58) < 1)
    #expect(result.isKnown && !cleaned([.nan, .nan]).isKnown && !cleaned([]).isKnown)
  }

  @Test("odd parameters count as none")
  func parameters() {
    let odd = ElevationSmoothing(
      smoothingMetres: .nan, thresholdMetres: -1, longestGapMetres: -.infinity)
    #expect(odd == ElevationSmoothing(smoothingMetres: 0, thresholdMetres: 0, longestGapMetres: 0))
    #expect(cleaned([1, 5, 2], odd).elevations == [1, 5, 2])
  }
}
