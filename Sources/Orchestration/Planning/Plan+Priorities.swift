// SPDX-License-Identifier: Apache-2.0
import Manifests

extension Plan {
  /// The position of each batch in the order of a run: the longest regions first, and a region once
  /// started is finished before the next. Within a region, what has the most work behind it comes
  /// first, so that no long chain is left for one processor at the end.
  package func priorities(_ history: RunHistory) -> [Int] {
    let seconds = seconds(history)
    let regionSeconds = actionsOfRegions.map { seconds[$0].reduce(0) { $0 + ($1 ?? 0) } }
    let order = regionSeconds.indices.sorted {
      (-regionSeconds[$0], $0) < (-regionSeconds[$1], $1)
    }
    var positions = [Int](repeating: 0, count: regions.count)
    for (position, region) in order.enumerated() { positions[region] = position }

    // The time of each action and of the longest chain of actions behind it.
    var lengths = actionsOfRegions.flatMap { region in
      let isKnown = !seconds[region].contains(nil)
      return region.map { isKnown ? seconds[$0] ?? 0 : actions[$0].stage.typicalShare }
    }
    var behind = [Double](repeating: 0, count: actions.count)
    // What an action depends on comes before it.
    for action in actions.indices.reversed() {
      lengths[action] += behind[action]
      for other in actions[action].dependencies {
        behind[other] = max(behind[other], lengths[action])
      }
    }
    let keys = batches.map { batch in
      (
        batch.map { positions[actions[$0].region] }.min() ?? 0,
        -(batch.map { lengths[$0] }.max() ?? 0)
      )
    }
    var priorities = [Int](repeating: 0, count: batches.count)
    let sorted = batches.indices.sorted {
      (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1)
    }
    for (position, batch) in sorted.enumerated() { priorities[batch] = position }
    return priorities
  }

  /// How long each batch takes in comparison with others: by earlier runs or, if an action was never
  /// run, by what its stage usually takes of a region.
  package func weights(_ history: RunHistory) -> [Double] {
    let seconds = seconds(history)
    let isKnown = !seconds.contains(nil)
    return batches.map { batch in
      batch.reduce(0) { $0 + (isKnown ? seconds[$1] ?? 0 : actions[$1].stage.typicalShare) }
    }
  }

  /// The seconds that each action took the last time; nil for one that was never run.
  private func seconds(_ history: RunHistory) -> [Double?] {
    actions.map { action in
      action.stage.isProcess
        ? history.seconds(region: regions[action.region].id, stage: action.stage.rawValue) : 0
    }
  }
}

extension Stage {
  /// The share of the time of a region that the stage takes, roughly, in hundredths; for a region
  /// that was never built.
  fileprivate var typicalShare: Double {
    switch self {
    case .decodePBF, .parseOverpass, .buildTiles, .fetch: 17
    case .sampleElevation: 27
    case .validate, .validateVariant, .indexPlaces: 16
    case .buildGraph, .computeCosts, .computeVariant, .gridElevation, .custom: 7
    case .collectPlaces: 5
    case .validateWaypoints, .validatePlaces, .validateTiles: 4
    case .publish: 0
    }
  }
}
