// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

extension RouteMember.Role {
  /// Whether a member of a ferry line with a role is a part of its course: not a stop, a terminal or
  /// the like, by the words of the role (``TagSelection/stopRoleWords``).
  static func isOfCourse(_ role: UnsafeRawBufferPointer) -> Bool {
    if role.isEmpty { return true }
    let text = String(decoding: role.prefix(64), as: UTF8.self).lowercased()
    return !text.split(whereSeparator: { !$0.isLetter }).contains {
      TagSelection.stopRoleWords.contains(String($0))
    }
  }
}
