// SPDX-License-Identifier: Apache-2.0

private let wroteByHand = "build the database anew; rows were changed after it was written"
private let rebuild = "build the database anew with cairn-compute-costs"
private let rebuildGraph = "build the graph anew from the elevated file"

extension RuleName {
  /// The rules about the file as a whole.
  var fileRule: ValidationRule {
    switch self {
    case .integrity:
      ValidationRule(
        .error, "SQLite finds the file undamaged",
        because: "readers of a damaged file fail, or see rows that are not there",
        fix: "build the database anew; the file was damaged after it was written")
    case .schema:
      ValidationRule(
        .error, "the contract's three tables and three indexes are there, in a version known here",
        because: "no reader can use anything else", fix: rebuild)
    case .extensionTables:
      ValidationRule(
        .error, "a database of Cairn's has all of its further tables, with their columns",
        because: "apps ask these tables for profiles, times, slopes and islands", fix: rebuild)
    case .foreignKeys:
      ValidationRule(
        .error, "every row that names a node, an edge or a profile names one that is there",
        because: "a route along a dead reference ends in an error",
        fix: "build the database anew; rows were removed or added by hand")
    case .metadata:
      ValidationRule(
        .error, "the metadata are there and say what the tables say",
        because: "apps show and trust the metadata without counting", fix: wroteByHand)
    case .size:
      ValidationRule(
        .info, "the file has at most 20 kB a kilometre of way",
        because: "it has to be downloaded and kept on a phone",
        fix: "leave out profiles that nobody uses")
    default:
      ValidationRule(
        .error, "nothing differs from the baseline by more than --max-drift",
        because: "a sudden change is more often a defect of data or settings than a new trail",
        fix: "look what changed; if it is right, accept it or allow more")
    }
  }

  /// The rules about nodes and edges.
  var graphRule: ValidationRule {
    switch self {
    case .boundingBox:
      ValidationRule(
        .error, "bounding_box is the box around all nodes and points",
        because: "apps choose a region's database by it", fix: wroteByHand)
    case .nodes:
      ValidationRule(
        .error, "every node lies on the Earth, at an elevation that a place has or at none",
        because: "a route through such a node cannot be drawn", fix: wroteByHand)
    case .unusedNodes:
      ValidationRule(
        .warning, "every node is the end of an edge",
        because: "a route that snaps to such a node leads nowhere", fix: wroteByHand)
    case .length:
      ValidationRule(
        .error, "every edge has a length, not below the straight line between its ends",
        because: "the estimate of A* is the straight line: routes would not be the best ones",
        fix: "build the graph anew; distances and positions do not belong together")
    case .geometry:
      ValidationRule(
        .error, "every geometry is a list of Float32 points on the Earth",
        because: "the edge cannot be drawn",
        fix: "build the database anew; the blobs were written by something else")
    case .polyline:
      ValidationRule(
        .error, "the line from end to end through an edge's points is as long as the edge",
        because: "points that belong elsewhere draw the route where it does not go",
        fix: "build the graph anew; points and distances do not belong together")
    case .duplicateEdges:
      ValidationRule(
        .warning, "no way has the same edge twice",
        because: "searches look at such edges twice, and statistics count them twice",
        fix: "look whether the way passes there twice in OpenStreetMap")
    case .overlappingEdges:
      ValidationRule(
        .info, "no two edges run along the very same points",
        because: "the same path was drawn twice, perhaps with different tags",
        fix: "join the ways in OpenStreetMap")
    case .sacScale:
      ValidationRule(
        .info, "every sac_scale is a grade of that scale, or some of them",
        because: "other values count as easy ground", fix: "correct them in OpenStreetMap")
    default:
      ValidationRule(
        .info, "every surface is one that the cost model knows",
        because: "other values cost what an unknown surface does",
        fix: "add frequent ones to the surfaces of the profile")
    }
  }

  /// The rules about elevations.
  var elevationRule: ValidationRule {
    switch self {
    case .climb:
      ValidationRule(
        .error, "gain and loss are lengths, and their difference is that of the end nodes",
        because: "costs and times are made of gain and loss", fix: rebuildGraph)
    case .elevationProfiles:
      ValidationRule(
        .error, "every elevation profile can be read, in steps of at most 30 m",
        because: "apps draw the profile of a route from them", fix: rebuild)
    case .elevationAgreement:
      ValidationRule(
        .error, "elevation profiles agree with gain, loss, slope and the end nodes",
        because: "the drawn profile would contradict the numbers beside it", fix: rebuildGraph)
    default:
      ValidationRule(
        .warning, "at least 95 % of the nodes have an elevation",
        because: "without elevations climbs cost nothing",
        fix: "add the missing elevation tiles")
    }
  }

  /// The rules about costs.
  var costRule: ValidationRule {
    switch self {
    case .positiveCosts:
      ValidationRule(
        .error, "every cost is a positive number, or infinity where there is no way",
        because: "a search runs in circles on costs of 0 and below",
        fix: "look for a factor of 0 in the profile")
    case .costCoversDistance:
      ValidationRule(
        .error, "in the hiking profile no edge costs less than its length",
        because: "readers of the contract take the straight line for the least cost",
        fix: "a factor below 1 belongs into a profile of another name")
    case .oneway:
      ValidationRule(
        .error, "is_oneway is 1 where there is a way there and none back, and 0 everywhere else",
        because: "readers of the contract go by it", fix: rebuild)
    case .admissible:
      ValidationRule(
        .error, "the stated least cost of a metre is not above that of any edge",
        because: "A* overestimates with it: routes would not be the best ones", fix: rebuild)
    case .profileCosts:
      ValidationRule(
        .error, "each profile has costs and times of every edge, the first that of routing_edges",
        because: "edges without costs are missing from every route", fix: rebuild)
    case .profileDefinitions:
      ValidationRule(
        .error, "every stored definition is a profile of that name with that fingerprint",
        because: "nobody could tell what the costs mean", fix: rebuild)
    case .edgeTags:
      ValidationRule(
        .error, "the columns of an edge for tags have what its set of tags has",
        because: "costs would be explained by tags that the edge does not have", fix: rebuild)
    case .recomputedCosts:
      ValidationRule(
        .error, "every cost and time is the one that its profile gives for the edge",
        because: "routes would follow other rules than the profile says", fix: rebuild)
    case .islands:
      ValidationRule(
        .error, "the parts of each profile and the nodes of its islands are those of its costs",
        because: "routes would begin on islands, or pass by the nearest path", fix: rebuild)
    default:
      ValidationRule(
        .warning, "at least 80 % of the passable kilometres hang together",
        because: "from one part no route leads to another",
        fix: "look for ways that are cut at the region's border, or for a gap in the data")
    }
  }
}
