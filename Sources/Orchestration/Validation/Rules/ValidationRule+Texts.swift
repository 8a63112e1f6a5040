// SPDX-License-Identifier: Apache-2.0

private let changedLater = "rebuild the database; rows were changed after it was written"
private let rebuild = "rebuild the database with cairn-compute-costs"
private let rebuildGraph = "rebuild the graph from the .elevated file"

extension RuleName {
  /// The rules about the file as a whole.
  var fileRule: ValidationRule {
    switch self {
    case .integrity:
      ValidationRule(
        .error, "SQLite finds the file undamaged",
        because: "reading a damaged file fails or returns wrong rows",
        fix: "rebuild the database; the file was damaged after it was written")
    case .schema:
      ValidationRule(
        .error, "the three core tables and their three indexes exist, in a supported version",
        because: "readers cannot use any other layout", fix: rebuild)
    case .extensionTables:
      ValidationRule(
        .error,
        "a database written by Cairn has all extension tables with their columns, and their views",
        because: "apps read profiles, times, slopes and islands from them", fix: rebuild)
    case .foreignKeys:
      ValidationRule(
        .error, "every reference to a node, edge or profile points to an existing row",
        because: "routing over a dangling reference fails",
        fix: "rebuild the database; rows were removed or added by hand")
    case .metadata:
      ValidationRule(
        .error, "the metadata are complete and agree with the tables",
        because: "apps rely on the metadata without checking them", fix: changedLater)
    case .size:
      ValidationRule(
        .info, "the file has at most 20 kB per kilometre of way",
        because: "phones download and store it",
        fix: "remove unused profiles")
    default:
      ValidationRule(
        .error, "no figure differs from the baseline by more than --max-drift",
        because: "sudden changes are more often defects in data or settings than real",
        fix: "find the cause; if the change is correct, accept it or raise the limit")
    }
  }

  /// The rules about nodes and edges.
  var graphRule: ValidationRule {
    switch self {
    case .boundingBox:
      ValidationRule(
        .error, "bounding_box is the box of all nodes and geometry points",
        because: "apps select databases by it", fix: changedLater)
    case .nodes:
      ValidationRule(
        .error, "every node has a valid coordinate and a plausible elevation or none",
        because: "a route through an invalid node cannot be drawn", fix: changedLater)
    case .unusedNodes:
      ValidationRule(
        .warning, "every node is the end of an edge",
        because: "a route cannot leave a node without edges", fix: changedLater)
    case .length:
      ValidationRule(
        .error, "every edge is at least as long as the straight line between its ends",
        because: "A* uses the straight line as an estimate; routes would not be optimal",
        fix: "rebuild the graph; distances and coordinates do not match")
    case .geometry:
      ValidationRule(
        .error, "every geometry is a list of Float32 points on the Earth",
        because: "the edge cannot be drawn",
        fix: "rebuild the database; the blobs were not written by Cairn")
    case .polyline:
      ValidationRule(
        .error, "the points of an edge form a line as long as the edge",
        because: "wrong points draw the route in the wrong place",
        fix: "rebuild the graph; points and distances do not match")
    case .duplicateEdges:
      ValidationRule(
        .warning, "no way contains the same edge twice",
        because: "searches visit such edges twice, and statistics count them twice",
        fix: "check whether the way doubles back on itself in OpenStreetMap")
    case .overlappingEdges:
      ValidationRule(
        .info, "no two edges have exactly the same points",
        because: "the same path was mapped twice, perhaps with different tags",
        fix: "merge the ways in OpenStreetMap")
    case .graph:
      ValidationRule(
        .error, "the blocks of the graph have the nodes and edges of the tables",
        because: "a search in them would find other routes", fix: rebuild)
    case .ways:
      ValidationRule(
        .error, "every edge is listed once, at its way",
        because: "trails and deltas find the edges of a way by this list", fix: rebuild)
    case .sacScale:
      ValidationRule(
        .info, "every sac_scale has one or more grades of the scale",
        because: "other values are treated as easy", fix: "correct them in OpenStreetMap")
    default:
      ValidationRule(
        .info, "a profile has a price for every surface",
        because: "other values cost the same as an unknown surface",
        fix: "add frequent values to the surfaces of a profile of the database")
    }
  }

  /// The rules about elevations.
  var elevationRule: ValidationRule {
    switch self {
    case .climb:
      ValidationRule(
        .error, "gain − loss is the difference between the elevations of the end nodes",
        because: "costs and times are computed from gain and loss", fix: rebuildGraph)
    case .elevationProfiles:
      ValidationRule(
        .error,
        "every elevation block and profile is readable, with a spacing of at most 30 m",
        because: "apps draw the elevation profile of a route from them", fix: rebuild)
    case .elevationAgreement:
      ValidationRule(
        .error, "elevation profiles agree with gain, loss, slope and the end nodes",
        because: "the drawn profile would contradict the totals of the route", fix: rebuildGraph)
    default:
      ValidationRule(
        .warning, "at least 95 % of the nodes have an elevation",
        because: "climbs without elevations cost nothing",
        fix: "add the missing elevation tiles")
    }
  }

  /// The rules about costs.
  var costRule: ValidationRule {
    switch self {
    case .positiveCosts:
      ValidationRule(
        .error, "every cost is a positive number, or infinity if the edge is impassable",
        because: "searches do not terminate correctly with costs of 0 or less",
        fix: "check the profile for a factor of 0")
    case .costCoversDistance:
      ValidationRule(
        .error, "in the hiking profile, no edge costs less than its length",
        because: "readers of the core tables use the straight line as a lower bound of the cost",
        fix: "give a profile with factors below 1 another name")
    case .straightLineBound:
      ValidationRule(
        .warning, "in the first profile, no edge costs less than 1 per metre",
        because: "readers that use the straight line as a lower bound miss the best route",
        fix: "put a profile that costs at least 1 per metre first, or use readers that multiply "
          + "the straight line by min_cost_per_metre")
    case .oneway:
      ValidationRule(
        .error, "is_oneway is 1 if an edge is passable forward but not backward, and 0 otherwise",
        because: "readers of the core tables rely on it", fix: rebuild)
    case .admissible:
      ValidationRule(
        .error, "no edge costs less per metre, or per metre of climb, than the stated minimum",
        because: "A* would overestimate; routes would not be optimal", fix: rebuild)
    case .profileCosts:
      ValidationRule(
        .error,
        "each profile has costs and times for every edge, in blocks of the right length; those of "
          + "the first profile are in routing_edges",
        because: "edges without costs are missing from every route", fix: rebuild)
    case .profileDefinitions:
      ValidationRule(
        .error, "every stored profile definition has the stated name and fingerprint",
        because: "the meaning of the costs would be unknown", fix: rebuild)
    case .edgeTags:
      ValidationRule(
        .error, "the tag columns of every edge agree with its tag set",
        because: "costs would be explained with tags that the edge does not have", fix: rebuild)
    case .hazards:
      ValidationRule(
        .error, "every hazard lies on its edge and has hazard tags",
        because: "a route would not warn of a danger, or warn elsewhere", fix: rebuild)
    case .recomputedCosts:
      ValidationRule(
        .error, "every cost and time matches the profile and the tags",
        because: "routes would not follow the profile", fix: rebuild)
    case .islands:
      ValidationRule(
        .error, "the components and islands of each profile match its costs",
        because: "routes would begin on islands, or not at the nearest path", fix: rebuild)
    default:
      ValidationRule(
        .warning, "at least 80 % of the passable kilometres are connected",
        because: "there are no routes between separate components",
        fix: "check for ways cut at the region's border, or for gaps in the data")
    }
  }
}
