// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGuidance
import CairnPhrases
import CairnRoutingDatabase

extension DatabaseExtent {
  /// Reports in a language other than English that there is no route, with the hint; problems of a
  /// database stay in English.
  func tell(_ error: RoutingError, in language: Language, _ result: inout CairnError) {
    switch error {
    case .noNearbyNode(let point, _):
      guard let text = error.errorDescription(in: language) else { return }
      let swapped = swapped(point)
      let why =
        swapped != nil
        ? "latitude and longitude are swapped"
        : excludes(point) ? "the point is outside the map" : nil
      let what = String(text.dropLast())
      result.message =
        why.map { language.text(.because, ["what": what, "why": language.term($0)]) } ?? what
      result.hint = swapped.map {
        language.text(.latitudeFirst, ["place": "\($0.latitude),\($0.longitude)"])
      }
    case .noRouteFound, .viaPointNotReachable, .noRoundTripFound:
      let text = [error.errorDescription(in: language), error.failureReason(in: language)]
        .compactMap { $0 }.joined(separator: " ")
      result.message = String(text.dropLast())
      result.hint = result.hint.map(language.term)
    default: break
    }
  }
}
