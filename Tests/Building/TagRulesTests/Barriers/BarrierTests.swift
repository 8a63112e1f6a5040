// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("Who gets past a node")
struct BarrierTests {
  /// Tags | walker | cyclist. A dash is a node that cuts the way.
  private static let table = """
    ford=yes                                         | + | +
    highway=crossing                                 | + | +
    highway=crossing foot=no bicycle=no              | + | +
    highway=traffic_signals access=no                | + | +
    highway=elevator                                 | + | +
    highway=elevator access=no                       | - | -
    highway=elevator access=private                  | - | -
    highway=elevator foot=no                         | - | +
    highway=elevator access=no foot=yes              | + | -
    highway=elevator bicycle=no                      | + | -
    highway=elevator bicycle=dismount                | + | -
    highway=elevator vehicle=no                      | + | -
    highway=elevator seasonal=yes                    | - | -
    highway=elevator opening_hours=off               | - | -
    highway=elevator opening_hours=24/7              | + | +
    highway=elevator access:conditional=no@(maybe)   | - | -
    highway=elevator barrier=gate                    | + | +
    highway=elevator barrier=gate access=no          | - | -
    highway=elevator barrier=gate locked=yes         | - | -
    highway=elevator barrier=no access=no            | - | -
    highway=elevator barrier=turnstile               | + | -
    highway=steps access=no                          | + | +
    barrier=no                                       | + | +
    barrier=fence                                    | - | -
    barrier=wall                                     | - | -
    barrier=hedge                                    | - | -
    barrier=ditch                                    | - | -
    barrier=retaining_wall                           | - | -
    barrier=city_wall                                | - | -
    barrier=jersey_barrier                           | + | -
    barrier=guard_rail                               | + | -
    barrier=debris                                   | + | -
    barrier=spikes                                   | + | -
    barrier=step                                     | + | -
    barrier=step bicycle=yes                         | + | +
    barrier=step access=yes                          | + | -
    barrier=boulder                                  | + | +
    barrier=boulder access=private                   | - | -
    barrier=fence stile=yes                          | + | -
    barrier=fence stile=ladder                       | + | -
    barrier=fence stile=no                           | - | -
    barrier=wall stile=stepover                      | + | -
    barrier=fence stile=yes access=private           | - | -
    barrier=fence sensory=audible                    | + | +
    barrier=fence sensory=audio                      | + | +
    barrier=fence sensory=audible foot=no            | - | +
    barrier=fence sensory=no                         | - | -
    barrier=wall sensory=audible                     | - | -
    barrier=gate stile=yes                           | + | +
    barrier=gate locked=yes stile=yes                | + | -
    barrier=gate locked=yes stile=yes access=private | - | -
    barrier=gate locked=yes stile=no                 | - | -
    barrier=gate access=forestry                     | + | -
    barrier=gate access=forestry foot=no             | - | -
    barrier=gate foot=use_sidepath                   | + | +
    barrier=fence foot=yes                           | + | -
    barrier=fence access=yes                         | + | +
    barrier=fence access=permissive                  | + | +
    barrier=wall bicycle=yes                         | - | +
    barrier=yes                                      | + | -
    barrier=yes access=no                            | - | -
    barrier=whatever                                 | + | -
    barrier=whatever access=private                  | - | -
    barrier=whatever foot=designated                 | + | -
    barrier=gate                                     | + | +
    barrier=lift_gate                                | + | +
    barrier=swing_gate                               | + | +
    barrier=cycle_barrier                            | + | +
    barrier=kissing_gate                             | + | -
    barrier=turnstile                                | + | -
    barrier=full-height_turnstile                    | + | -
    barrier=stile                                    | + | -
    barrier=step_over                                | + | -
    barrier=stile access=yes                         | + | -
    barrier=stile bicycle=yes                        | + | +
    barrier=cattle_grid                              | + | +
    barrier=bollard                                  | + | +
    barrier=bollard access=no                        | - | -
    barrier=bollard motor_vehicle=no                 | + | +
    barrier=bollard access=no foot=yes bicycle=yes   | + | +
    barrier=block                                    | + | +
    barrier=chain                                    | + | +
    barrier=sally_port                               | + | +
    barrier=toll_booth                               | + | +
    barrier=border_control                           | + | +
    barrier=entrance                                 | + | +
    barrier=gate access=private                      | - | -
    barrier=gate access=no                           | - | -
    barrier=gate access=customers                    | + | +
    barrier=gate access=private foot=yes             | + | -
    barrier=gate access=private foot=permissive      | + | -
    barrier=gate access=no vehicle=yes               | - | +
    barrier=gate vehicle=private                     | + | -
    barrier=gate foot=no                             | - | +
    barrier=gate locked=yes                          | - | -
    barrier=gate locked=no                           | + | +
    barrier=gate locked=yes access=yes               | - | -
    barrier=gate locked=yes foot=yes                 | + | -
    barrier=gate locked=yes foot=private             | - | -
    barrier=gate locked:conditional=yes_@_(Jul)      | - | -
    barrier=gate locked:conditional=yes_@_(Nov-Apr)  | + | +
    barrier=gate locked=yes locked:conditional=no_@_(May-Oct) | + | +
    barrier=gate locked:conditional=yes_@_nonsense   | - | -
    entrance=yes access=private                      | - | -
    access=no foot=yes                               | + | -
    barrier=gate foot:conditional=no_@_(Nov-Apr)     | + | +
    barrier=gate foot:conditional=no_@_(May-Oct)     | - | +
    barrier=gate access:conditional=no_@_(22:00-06:00) | + | +
    barrier=gate opening_hours=08:00-20:00           | + | +
    barrier=gate opening_hours=18:00-20:00           | - | -
    barrier=gate foot:conditional=nonsense           | - | +
    """

  @Test("barriers", arguments: RuleTable(table))
  func barriers(row: RuleTable.Row) {
    for (vehicle, expected) in zip(Vehicle.allCases, row.columns) {
      let passage = BarrierPassage(TagList(row.tags), for: vehicle, on: CalendarDate("2024-07-15"))
      let outcome = passage.isPassable ? "+" : "-"
      #expect(outcome == expected, "\(vehicle) past \(row.text)")
    }
  }

  @Test(
    "what a walker climbs over or knows nothing of does not stop walkers, as long as they may pass",
    arguments: [
      ["barrier": "yes"], ["barrier": "dragon"], ["barrier": "step"], ["barrier": "boulder"],
      ["barrier": "debris"], ["barrier": "jersey_barrier"], ["barrier": "guard_rail"],
      ["barrier": "spikes"], ["barrier": "fence", "stile": "yes"],
      ["barrier": "gate", "locked": "yes", "stile": "yes"],
      ["barrier": "fence", "sensory": "audible"],
    ])
  func obstacles(tags: WayTags) {
    #expect(BarrierPassage(TagList(tags), for: .foot, on: nil).access == .open)
    for closure in [["access": "private"], ["foot": "no"], ["access": "no"]] {
      let closed = tags.merging(closure) { $1 }
      #expect(!BarrierPassage(TagList(closed), for: .foot, on: nil).isPassable, "\(closed)")
    }
  }

  @Test("a lock is not a matter of who may pass")
  func locks() {
    let passage = { (tags: WayTags) in
      BarrierPassage(TagList(tags), for: .foot, on: nil).access
    }
    #expect(passage(["barrier": "gate", "access": "private"]) == .restricted)
    #expect(passage(["barrier": "gate", "access": "private", "locked": "yes"]) == .closed)
  }

  @Test("without a date a gate that is shut in winter is taken as shut")
  func undated() {
    let tags = ["barrier": "gate", "foot:conditional": "no @ (Nov-Apr)"]
    let passage = BarrierPassage(TagList(tags), for: .foot, on: nil)
    #expect(passage.access == .uncertain)
    #expect(!passage.isPassable)
  }
}
