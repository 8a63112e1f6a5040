// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@Suite("Adapters of Apple's frameworks")
struct AdapterTests {
  @Test("an app has the adapters that the documents promise, and they compile")
  func compiles() throws {
    let compiler = try AppCompiler()
    try compiler.addCoreLocation()
    let result = try compiler.typeCheck(
      """
      import CairnLocationProviders
      import CoreLocation

      let provider: any LocationProvider = CoreLocationProvider()
      let place = Coordinate(CLLocationCoordinate2D(latitude: 47, longitude: 10))
      let fix = LocationFix(coordinate: place, timestamp: Date())
      let again: LocationFix? = LocationFix(CLLocation(fix))
      let permission = LocationAuthorization(CLAuthorizationStatus.denied)
      let failure = LocationFailure(CLError(.denied))
      print(provider, CLLocationCoordinate2D(place), again as Any, permission, failure)

      func watch() async { for await failure in provider.failures() { print(failure) } }
      """)
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("an app has the players of a phone and a watch, and they compile")
  func players() throws {
    let compiler = try AppCompiler()
    try compiler.addHaptics()
    let result = try compiler.typeCheck(
      """
      import CairnHaptics

      #if os(watchOS)
        let player: any HapticPlayer = WatchKitPlayer()
      #else
        let player: any HapticPlayer = CoreHapticsPlayer()
      #endif
      let service = HapticNavigationService(player: player)
      #if os(Linux)
        print(WatchKitPlayer().supportsHaptics)
      #endif
      print(service.counts)
      """)
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("a place that was found is an item of MapKit, and that compiles")
  func mapItems() throws {
    let compiler = try AppCompiler()
    try compiler.addMapKit()
    let result = try compiler.typeCheck(
      """
      import CairnSearch
      import MapKit

      func items(_ results: [SearchResult]) -> [MKMapItem] { results.map(\\.mapItem) }
      """)
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("what makes photos with Image I/O compiles")
  func photos() throws {
    #expect(throws: Never.self) { try AppCompiler().addImageIO() }
  }
}
