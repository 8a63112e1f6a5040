// SPDX-License-Identifier: Apache-2.0

/// The waymarked routes of the sample map, each a relation of its ways.
enum SampleRoute: Int, CaseIterable {
  case arvenHighRoute
  case kraehenjochTrail
  case gorgeTrail
  case tarnLoop
  case lakeLoop
  case summitTrail
  case valleyCycleRoute
  case mainRoad

  var tags: [String: String] {
    switch self {
    case .arvenHighRoute:
      hiking("nwn", "Arvener Höhenweg", ref: "02", symbol: "red:white:red_bar:02:black")
    case .kraehenjochTrail:
      hiking("rwn", "Krähenjochweg", ref: "501", symbol: "red:red:white_bar:501:black")
        .merging(["from": "Unterarven", "to": "Hinterarven", "via": "Krähenhütte; Krähenjoch"]) {
          $1
        }
    case .gorgeTrail:
      hiking("lwn", "Finsterklamm-Steig", ref: "3", symbol: "blue:white:blue_stripe")
    case .tarnLoop:
      hiking("lwn", "Milchsee-Runde", ref: "7", symbol: "yellow:white:yellow_diamond")
        .merging(["roundtrip": "yes"]) { $1 }
    case .lakeLoop:
      hiking("lwn", "Arvensee-Uferweg", ref: "1", symbol: "green:white:green_dot")
        .merging(["roundtrip": "yes"]) { $1 }
    case .summitTrail:
      hiking("lwn", "Arvenspitze-Steig", ref: "11", symbol: "blue:white:blue_bar")
    case .valleyCycleRoute:
      [
        "type": "route", "route": "bicycle", "network": "lcn", "ref": "R4",
        "name": "Arvental-Radweg",
      ]
    case .mainRoad:
      ["type": "route", "route": "road", "network": "AT:L-road", "ref": "L27"]
    }
  }

  private func hiking(_ network: String, _ name: String, ref: String, symbol: String)
    -> [String: String]
  {
    [
      "type": "route", "route": "hiking", "network": network, "name": name, "ref": ref,
      "osmc:symbol": symbol,
    ]
  }
}
