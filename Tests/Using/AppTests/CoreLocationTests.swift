// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@Suite("Adapters of Core Location and Image I/O")
struct CoreLocationTests {
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
      print(provider, CLLocationCoordinate2D(place), again as Any, permission)
      """)
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("what makes photos with Image I/O compiles")
  func photos() throws {
    #expect(throws: Never.self) { try AppCompiler().addImageIO() }
  }
}
