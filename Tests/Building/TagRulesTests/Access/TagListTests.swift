// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@testable import CairnTagRules

@Suite("Lists of tags")
struct TagListTests {
  @Test("a list has the values of a dictionary, and no others")
  func lookup() {
    let tags = [
      "highway": "path", "foot": "yes", "trail_visibility": "bad", "name": "", "é": "è",
      "bicycle:conditional": "no @ (Nov-Apr)",
    ]
    let list = TagList(tags)
    for key in Array(tags.keys) + ["", "foo", "fooot", "highwaz", "trail_visibilitz", "e"] {
      #expect(list[key] == tags[key])
    }
  }

  @Test("colons and conditions are noticed")
  func colons() {
    #expect(!TagList(["highway": "path:conditional"]).hasColons)
    let directed = TagList(["foot:backward": "no"])
    #expect(directed.hasColons && !directed.hasConditions)
    #expect(TagList(["access": "no", "foot:conditional": "yes @ (May)"]).hasConditions)
  }

  @Test("a known word means the same in its standard spelling, in capitals and with spaces")
  func spellings() {
    for word in ["yes", "private", "agricultural", "forestry", "no", "permissive", "gibberish"] {
      for isAccessOnFoot in [false, true] {
        #expect(
          AccessClass(value: word, isAccessOnFoot: isAccessOnFoot)
            == AccessClass(value: " \(word.uppercased()) ", isAccessOnFoot: isAccessOnFoot))
      }
    }
  }
}
