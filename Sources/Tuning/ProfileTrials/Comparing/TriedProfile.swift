// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CostModel
import TuningSuites

/// A profile in a comparison, with its label from the command line.
package struct TriedProfile: Sendable {
  /// The label from the command line: a name or a path, and the changed keys.
  package let label: String
  /// The profile.
  package let profile: CostProfile

  /// Names a profile.
  package init(label: String, _ profile: CostProfile) {
    (self.label, self.profile) = (label, profile)
  }

  /// Reads the profile for a word: a built-in profile, a file, or one that is the same in every
  /// dataset of a suite. Changes are applied in order.
  ///
  /// Throws 78 for a word without a meaning or with different ones, for an invalid file and for a
  /// change that cannot be made, and 66 for a missing file.
  package init(_ word: String, changedBy settings: [ProfileSetting] = [], of suite: TuningSuite)
    throws(CairnError)
  {
    var profile: CostProfile
    do throws(CairnError) {
      profile = try CostProfile.named(word)
    } catch {
      guard error.code == .unknownProfile else { throw error }
      profile = try Self.stored(word, in: suite, error)
    }
    for setting in settings { try setting.apply(to: &profile) }
    self.init(label: ([word] + settings.map(\.text)).joined(separator: " "), profile)
  }

  /// The profile that all datasets have under a name.
  private static func stored(_ name: String, in suite: TuningSuite, _ unknown: CairnError)
    throws(CairnError) -> CostProfile
  {
    var found: (profile: RoutingProfile, dataset: String)?
    for dataset in suite.datasets {
      let profiles = try RoutingStore.reading(dataset.database) { store throws(RoutingError) in
        try store.profiles()
      }
      guard let profile = profiles.first(where: { $0.name == name }) else {
        var error = unknown
        if found != nil {
          error.message += " in every dataset: \(dataset.id) has none of this name"
          error.hint = "give its file"
        }
        throw error
      }
      if let found, found.profile.fingerprint != profile.fingerprint {
        throw CairnError(
          .unknownProfile, .configuration,
          "profile \(name) is not the same in \(found.dataset) and \(dataset.id)",
          hint: "give its file")
      }
      found = (profile, dataset.id)
    }
    guard let found else { throw unknown }
    return try CostProfile(definition: found.profile.definition)
  }

  /// The profile as described in comparisons. Throws 70 if it cannot be written as text, which does
  /// not happen for one that was read.
  package func record() throws(CairnError) -> ProfileRecord {
    ProfileRecord(
      label: label, name: profile.name, fingerprint: try profile.fingerprint(),
      definition: try profile.canonicalText())
  }
}
