// SPDX-License-Identifier: Apache-2.0
import Foundation
import GPX
import Geodesy
import LocationProviders
import Testing

@Suite("Replaying tracks")
struct TrackReplayTests {
}
