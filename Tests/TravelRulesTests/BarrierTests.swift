// SPDX-License-Identifier: Apache-2.0
import Testing
import TravelRules

@Suite("Who gets past a node")
struct BarrierTests {
  /// Tags | walker | cyclist. A dash is a node that cuts the way; otherwise the effort.
  private static let table = """
    ford=yes                                         | none  | none
    highway=crossing                                 | none  | none
    highway=crossing foot=no bicycle=no              | none  | none
    highway=traffic_signals access=no                | none  | none
    barrier=no                                       | none  | none
    barrier=fence                                    | -     | -
    barrier=wall                                     | -     | -
    barrier=hedge                                    | -     | -
    barrier=ditch                                    | -     | -
    barrier=retaining_wall                           | -     | -
    barrier=city_wall                                | -     | -
    barrier=jersey_barrier                           | -     | -
    barrier=guard_rail                               | -     | -
    barrier=fence foot=yes                           | none  | -
    barrier=fence access=yes                         | none  | none
    barrier=fence access=permissive                  | none  | none
    barrier=wall bicycle=yes                         | -     | none
    barrier=yes                                      | -     | -
    barrier=whatever                                 | -     | -
    barrier=whatever foot=designated                 | none  | -
    barrier=gate                                     | gate  | gate
    barrier=lift_gate                                | gate  | gate
    barrier=swing_gate                               | gate  | gate
    barrier=cycle_barrier                            | gate  | gate
    barrier=kissing_gate                             | gate  | -
    barrier=turnstile                                | gate  | -
    barrier=full-height_turnstile                    | gate  | -
    barrier=stile                                    | stile | -
    barrier=step_over                                | stile | -
    barrier=stile access=yes                         | stile | -
    barrier=stile bicycle=yes                        | stile | stile
    barrier=cattle_grid                              | none  | none
    barrier=bollard                                  | none  | none
    barrier=bollard access=no                        | -     | -
    barrier=bollard motor_vehicle=no                 | none  | none
    barrier=bollard access=no foot=yes bicycle=yes   | none  | none
    barrier=block                                    | none  | none
    barrier=chain                                    | none  | none
    barrier=sally_port                               | none  | none
    barrier=toll_booth                               | none  | none
    barrier=border_control                           | none  | none
    barrier=entrance                                 | none  | none
    barrier=gate access=private                      | -     | -
    barrier=gate access=no                           | -     | -
    barrier=gate access=customers                    | gate  | gate
    barrier=gate access=private foot=yes             | gate  | -
    barrier=gate access=private foot=permissive      | gate  | -
    barrier=gate access=no vehicle=yes               | -     | gate
    barrier=gate vehicle=private                     | gate  | -
    barrier=gate foot=no                             | -     | gate
    barrier=gate locked=yes                          | -     | -
    barrier=gate locked=no                           | gate  | gate
    barrier=gate locked=yes access=yes               | -     | -
    barrier=gate locked=yes foot=yes                 | gate  | -
    barrier=gate locked=yes foot=private             | -     | -
    barrier=gate locked:conditional=yes_@_(Jul)      | -     | -
    barrier=gate locked:conditional=yes_@_(Nov-Apr)  | gate  | gate
    barrier=gate locked=yes locked:conditional=no_@_(May-Oct) | gate | gate
    barrier=gate locked:conditional=yes_@_nonsense   | -     | -
    entrance=yes access=private                      | -     | -
    access=no foot=yes                               | none  | -
    barrier=gate foot:conditional=no_@_(Nov-Apr)     | gate  | gate
    barrier=gate foot:conditional=no_@_(May-Oct)     | -     | gate
    barrier=gate access:conditional=no_@_(22:00-06:00) | gate | gate
    barrier=gate opening_hours=08:00-20:00           | gate  | gate
    barrier=gate opening_hours=18:00-20:00           | -     | -
    barrier=gate foot:conditional=nonsense           | -     | gate
    """

  @Test("barriers", arguments: RuleTable(table))
  func barriers(row: RuleTable.Row) {
    for (vehicle, expected) in zip(Vehicle.allCases, row.columns) {
      let passage = BarrierPassage(row.tags, for: vehicle, on: CalendarDate("2024-07-15"))
      let outcome = passage.isPassable ? passage.effort.rawValue : "-"
      #expect(outcome == expected, "\(vehicle) past \(row.text)")
      #expect(passage.isPassable || passage.effort == .none)
    }
  }

  @Test("a lock is not a matter of who may pass")
  func locks() {
    let passage = { BarrierPassage($0, for: .foot, on: nil).access }
    #expect(passage(["barrier": "gate", "access": "private"]) == .restricted)
    #expect(passage(["barrier": "gate", "access": "private", "locked": "yes"]) == .closed)
  }

  @Test("without a date a gate that is shut in winter is taken as shut")
  func undated() {
    let tags = ["barrier": "gate", "foot:conditional": "no @ (Nov-Apr)"]
    let passage = BarrierPassage(tags, for: .foot, on: nil)
    #expect(passage.access == .uncertain)
    #expect(!passage.isPassable)
  }
}
