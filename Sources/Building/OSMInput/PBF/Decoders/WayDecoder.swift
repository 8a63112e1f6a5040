// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// The second pass over the blobs: collects candidate ways and areas, counts ways.
struct WayDecoder: BlobDecoder, ~Copyable {
  /// The results of one worker.
  struct Outcome: Sendable {
    /// The ways and areas of each blob, their tags as indices into ``pool``, their refs as codes of
    /// ``nodePools``; and the tags of ways of ferry lines that are not routable by themselves.
    var batches: [(blob: Int, ways: WayBatch, areas: WayBatch, ownTags: WayBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// Their nodes.
    var nodePools = NodePools()
    /// The counts of all ways.
    var counts = OSMCounts()
    /// The contents of the blobs.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
    /// The range of ids of each blob's ways, if they ascend.
    var ids: [(blob: Int, range: ClosedRange<Int64>)] = []
    /// Whether the ids of each blob's ways ascend and no way stores the coordinates of its nodes.
    var isPlain = true
    /// Whether there were routable ways, kept or not.
    var hasRoutable = false
    /// The ways that are newer than their changes.
    var newer: NewerObjects
  }

  private var found: Outcome
  private var ways = WayBatch()
  private var areas = WayBatch()
  private var ownTags = WayBatch()
  /// The memory of the refs of the previous batches.
  private var wayMemory: [Int64] = []
  private var areaMemory: [Int64] = []
  private let isHistory: Bool
  private let highways: HighwayChoice
  private let outlines: SortedIDs
  private let lineWays: SortedIDs
  /// Determines which ways are far from all regions, if only near ones are needed.
  private var zones: NodeZones.Cursor?
  private var firstID: Int64?
  private var lastID = Int64.min
  private var block: PrimitiveBlock
  private var fields = ObjectFields()
  /// The parts of the current way that are kept.
  private var wayTags: [PooledTag] = []
  private var wayRefs = UnsafeMutableBufferPointer<Int64>(start: nil, count: 0)
  private var refMemory = GrowingBuffer()
  private var implicitNodes: [ImplicitNode] = []
  private var versions = WayVersions()

  /// `outlines` are the outlines of areas that are kept, and the ways of ferry lines, which are
  /// `lineWays`; with `zones`, other ways are kept only if they may touch the box of these zones.
  init(
    isHistory: Bool, outlines: SortedIDs, lineWays: SortedIDs, zones: NodeZones? = nil,
    changed: NewerObjects = NewerObjects(), highways: HighwayChoice
  ) {
    block = PrimitiveBlock(highways)
    found = Outcome(newer: changed)
    self.isHistory = isHistory
    self.highways = highways
    self.outlines = outlines
    self.lineWays = lineWays
    self.zones = zones.map(NodeZones.Cursor.init)
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    ways = WayBatch(after: ways, wayMemory)
    areas = WayBatch(after: areas, areaMemory)
    (wayMemory, areaMemory) = ([], [])
    ownTags = WayBatch()
    versions = WayVersions()
    firstID = nil
    var kinds: ObjectKinds = []
    try block.read(content)
    for index in block.groups.indices { try decodeGroup(block.groups[index], &kinds) }
    wayMemory = ways.takeCodes(from: &found.nodePools)
    areaMemory = areas.takeCodes(from: &found.nodePools)
    found.batches.append((blob, ways, areas, ownTags))
    found.contents.append((blob, kinds))
    if let firstID, firstID <= lastID { found.ids.append((blob, firstID...lastID)) }
  }

  consuming func finish() -> Outcome {
    found.nodePools.sort()
    return found
  }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer, _ kinds: inout ObjectKinds)
    throws(CairnError)
  {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      kinds.insert(ObjectKinds(groupField: field.number))
      if field.number == 3 {
        try block.readTexts()
        try decodeWay(try reader.readBytes(field))
      } else {
        try reader.skip(field)
      }
    }
  }

  private mutating func decodeWay(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, info) = try fields.read(message, called: "way")
    found.counts.ways += 1
    if firstID == nil { firstID = id } else if id <= lastID { found.isPlain = false }
    lastID = id
    do throws(CairnError) {
      if found.newer.mayFind(id) { found.newer.take(id, try version(info)) }
      let finder = try readTags()
      var use = finder.use(keepsAll: highways.keepsAll)
      let isOutline = outlines.contains(id)
      if isOutline { use.insert(.outline) }
      if !use.isEmpty, try !isVisible(info) { use = [] }
      if !use.isEmpty { try decodeRefs() }
      if use.contains(.routable) { found.hasRoutable = true }
      let isOfLine = isOutline && lineWays.contains(id)
      // How long a line is, and what its ways say, counts in a region at its other end, too.
      if !use.isEmpty, zones?.mayTouch(wayRefs) == false {
        use.formIntersection(isOfLine ? [.outline, .routable] : .outline)
      }
      if isOfLine { try addOwnTags(id, use, finder) }
      if use.contains(.routable) {
        try decodeTags(highways.keepsAll ? .anything : .wayKey)
        if let highway = finder.givenHighway {
          wayTags.append(PooledTag("highway", highway, &found.pool))
        }
        ways.add(tags: wayTags, refs: wayRefs, implicitNodes)
      }
      if !use.isDisjoint(with: [.point, .area]) {
        try decodeTags(.pointKey)
      } else {
        wayTags.removeAll(keepingCapacity: true)
      }
      if !use.isDisjoint(with: [.point, .area, .outline]) {
        areas.add(tags: wayTags, refs: wayRefs, implicitNodes)
      }
      versions.end(id, use, &ways, &areas, isGone: isHistory)
    } catch { throw error.within("way \(id)") }
  }

  /// Adds the tags of a way of a ferry line that is not routable by itself.
  private mutating func addOwnTags(_ id: Int64, _ use: WayUse, _ finder: WayUseFinder)
    throws(CairnError)
  {
    let isRing = wayRefs.count >= 4 && wayRefs[0] == wayRefs[wayRefs.count - 1]
    if !use.isEmpty, !use.contains(.routable), !isRing {
      try decodeTags(.wayKey)
      for tag in wayTags { ownTags.add(tag: tag) }
      if finder.isOtherThing { ownTags.add(tag: PooledTag("area", "yes", &found.pool)) }
    }
    ownTags.endWay(id: id)
  }

  /// Determines from its tags what the way is used for.
  private mutating func readTags() throws(CairnError) -> WayUseFinder {
    var cursor = TagCursor(fields.keys, fields.values)
    var finder = WayUseFinder()
    while let (key, value) = try cursor.next() {
      let classes = try block.classes(of: key)
      if classes.isEmpty { continue }
      finder.add(key: classes, value: try block.classes(of: value))
    }
    finder.count(in: &found.counts)
    return finder
  }

  /// Reads the tags whose keys are of a class.
  private mutating func decodeTags(_ keyClass: WordClass) throws(CairnError) {
    wayTags.removeAll(keepingCapacity: true)
    try block.addTags(
      keyClass, of: TagCursor(fields.keys, fields.values), in: &found.pool, to: &wayTags)
  }

  private mutating func decodeRefs() throws(CairnError) {
    implicitNodes.removeAll(keepingCapacity: true)
    let count = VarintCursor.count(fields.refs)
    let hasLocations = !fields.latitudes.isEmpty || !fields.longitudes.isEmpty
    if hasLocations {
      found.isPlain = false
      guard VarintCursor.count(fields.latitudes) == count,
        VarintCursor.count(fields.longitudes) == count
      else { throw .badData(.arrayLengthsDisagree, "its numbers of refs and locations differ") }
    }
    wayRefs = refMemory.reserve(count * MemoryLayout<Int64>.stride, keeping: 0)
      .bindMemory(to: Int64.self)
    var cursor = VarintCursor(fields.refs)
    var ref: Int64 = 0
    for index in 0..<count {
      guard let delta = cursor.next() else { throw cursor.failure }
      ref &+= zigzagDecoded(delta)
      wayRefs.initializeElement(at: index, to: ref)
    }
    guard cursor.isAtEnd else { throw cursor.failure }
    if hasLocations { try decodeLocations() }
  }

  /// Reads the coordinates of the current way's refs.
  private mutating func decodeLocations() throws(CairnError) {
    var latitudeCursor = VarintCursor(fields.latitudes)
    var longitudeCursor = VarintCursor(fields.longitudes)
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    for ref in wayRefs {
      guard let north = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let east = longitudeCursor.next() else { throw longitudeCursor.failure }
      latitude &+= zigzagDecoded(north)
      longitude &+= zigzagDecoded(east)
      let coordinate = block.scale.coordinate(latitude, longitude)
      if coordinate.isKnown {
        implicitNodes.append(ImplicitNode(id: ref, coordinate: coordinate))
      }
    }
  }
}

/// The version in the metadata of an object, 0 if it is unknown.
func version(_ info: UnsafeRawBufferPointer) throws(CairnError) -> UInt32 {
  var version: UInt32 = 0
  var reader = ProtobufReader(info)
  while let field = try reader.nextField() {
    if field.number == 1 {
      version = knownVersion(try reader.readVarint(field))
    } else {
      try reader.skip(field)
    }
  }
  return version
}

/// A version as it is stored; 0 if it is unknown, which is stored as −1.
func knownVersion(_ value: UInt64) -> UInt32 { UInt32(clamping: Int64(bitPattern: value)) }

/// Whether the metadata of an object does not mark it as deleted.
func isVisible(_ info: UnsafeRawBufferPointer) throws(CairnError) -> Bool {
  var visible = true
  var reader = ProtobufReader(info)
  while let field = try reader.nextField() {
    if field.number == 6 {
      visible = try reader.readVarint(field) != 0
    } else {
      try reader.skip(field)
    }
  }
  return visible
}
