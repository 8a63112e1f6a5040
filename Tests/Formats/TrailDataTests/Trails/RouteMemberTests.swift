// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TrailData

@Suite("Members of waymarked routes")
struct RouteMemberTests {
  private static let mapped: [(String, RouteMember.Role)] = [
    ("", .init()), ("main", .init()), ("guidepost", .init()), ("forward", .init(.main, .forward)),
    ("backward", .init(.main, .backward)), ("alternative", .init(.alternative)),
    ("alternative:forward", .init(.alternative, .forward)), ("approach", .init(.approach)),
    ("excursion", .init(.excursion)), ("link", .init(.connection)),
    ("backward:approach", .init(.approach, .backward)), (":::", .init()),
  ]

  @Test("a role is a purpose, a direction, or both", arguments: mapped)
  func roles(text: String, role: RouteMember.Role) {
    #expect(RouteMember.Role(text.utf8) == role)
  }

  @Test("every member is the same after it was a byte, and other bytes stand for none")
  func kinds() {
    var known: Set<UInt8> = []
    for purpose in RouteMember.Role.Purpose.allCases {
      for direction in RouteMember.Role.Direction.allCases {
        for isRelation in [false, true] {
          let member = RouteMember(
            isRelation: isRelation, id: 7, role: .init(purpose, direction))
          #expect(RouteMember(kind: member.kind, id: 7) == member)
          known.insert(member.kind)
        }
      }
    }
    #expect(known.count == 30)
    for kind in UInt8.min...UInt8.max where !known.contains(kind) {
      #expect(RouteMember(kind: kind, id: 7) == nil)
    }
  }

  @Test("a file has the members of each route in their order")
  func file() throws {
    let folder = try TemporaryFolder()
    var map = PlaceMap(
      ways: [.init(1, [(47, 10), (47.001, 10)], ["highway": "path"], routes: [0, 1])],
      routes: [["route": "hiking"], ["route": "foot"]])
    let first = [
      RouteMember(isRelation: true, id: 9), RouteMember(isRelation: false, id: 1),
      RouteMember(isRelation: false, id: -4, role: .init(.excursion, .backward)),
    ]
    map.members = [first, []]
    let path = try map.trailsFile(in: folder)
    let file = try TrailsFile(path)
    #expect(file.routes.members(ofRoute: 0) == first)
    #expect(file.routes.members(ofRoute: 1).isEmpty)
    let elevated = folder.file("map.elevated")
    try file.writeElevated([100, 100], to: elevated, provenance: Provenance(tool: "a test"))
    #expect(try TrailsFile(path, elevated: elevated).routes.members(ofRoute: 0) == first)
  }
}
