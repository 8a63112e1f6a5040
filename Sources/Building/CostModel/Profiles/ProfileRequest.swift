// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase

/// Which profile a request for routes means, before it is known what the database has.
package struct ProfileRequest: Sendable {
  private let name: String?
  private let mode: RoutingMode?
  private let settings: [ProfileSetting]
  private let file: CostProfile?

  /// Takes a request, and reads the profile if it is a file. Throws 66 or 78 for a file that is
  /// missing or invalid.
  ///
  /// - Parameters:
  ///   - name: The name of a profile, or the path of one; nil for the first one of the database.
  ///   - mode: On foot or by bicycle, if no profile is named.
  ///   - settings: The changes to the profile.
  package init(name: String?, mode: RoutingMode?, settings: [ProfileSetting]) throws(CairnError) {
    self.name = name
    self.mode = mode
    self.settings = settings
    file = if let name, CostProfile.isPath(name) { try CostProfile(file: name) } else { nil }
  }

  /// The profile that the request means in a database: the file; or the one of the name, of the
  /// database or else built in; or the one that serves the mode; or the first one of the database.
  ///
  /// Throws `RoutingError.profileNotAvailable(_:available:)` if there is none, and 65 if a profile
  /// that is to be changed cannot be read, or there is none to change.
  package func resolved(in store: RoutingStore) throws -> ChosenProfile {
    let names = try store.profileNames()
    var chosen = ChosenProfile(name: name, mode: mode ?? .hiking, trial: file)
    if let name, file == nil, !names.contains(name) {
      chosen.trial = CostProfile.builtIn.first { $0.name == name }
      chosen.missingName = chosen.trial == nil ? nil : name
    }
    if chosen.trial == nil, let first = names.first {
      let byMode: String? = if let mode { try store.profileName(for: mode) } else { first }
      let found = name ?? byMode
      guard let found, let mode = try store.mode(ofProfile: found) else {
        throw RoutingError.profileNotAvailable(found ?? chosen.mode.rawValue, available: names)
      }
      (chosen.name, chosen.storedName, chosen.mode) = (found, found, mode)
      if !settings.isEmpty { chosen.trial = try CostProfile(stored: found, in: store) }
    }
    if var trial = chosen.trial {
      for setting in settings { try setting.apply(to: &trial) }
      (chosen.trial, chosen.name, chosen.mode) = (trial, trial.name, trial.mode)
      chosen.remarks = settings.flatMap { $0.remarks(on: trial) }
      if chosen.storedName == nil {
        chosen.storedName = names.isEmpty ? nil : try store.profileName(for: trial.mode)
      }
    } else if !settings.isEmpty {
      throw CairnError(
        "no-profiles", .dataError, "has no cost profiles to change",
        at: Location(file: store.path), hint: "give one with --profile")
    }
    return chosen
  }
}

/// The profile that a request means in a database.
package struct ChosenProfile: Sendable {
  /// Its name; nil for the core columns of a database that has no profiles.
  package fileprivate(set) var name: String?
  /// On foot or by bicycle.
  package fileprivate(set) var mode: RoutingMode
  /// The profile as a file, built in or on top of a stored one, if the database does not have it as it
  /// is.
  package fileprivate(set) var trial: CostProfile?
  /// The profile of the database that the trial is made of, or one of the same vehicle; otherwise the
  /// profile itself.
  package fileprivate(set) var storedName: String?
  /// The given name, if it is that of a built-in profile which the database lacks.
  package fileprivate(set) var missingName: String?
  /// Remarks on changes that the profile does not use.
  package fileprivate(set) var remarks: [String] = []

  /// The profile with all of its keys; nil where the database has none. Throws 65 if it cannot be
  /// read.
  package func definition(in store: RoutingStore) throws -> CostProfile? {
    if let trial { return trial }
    return try name.map { try CostProfile(stored: $0, in: store) }
  }
}

extension CostProfile {
  /// The mode of its vehicle.
  package var mode: RoutingMode { vehicle == .bicycle ? .cycling : .hiking }

  /// A profile of a database, by its definition there. Throws 65 if it cannot be read.
  fileprivate init(stored name: String, in store: RoutingStore) throws {
    let stored = try store.profiles().first { $0.name == name }
    do throws(CairnError) { self = try CostProfile(definition: stored?.definition ?? "") } catch {
      throw CairnError(
        "unreadable-profile", .dataError, "profile \(name) cannot be read: \(error.message)",
        at: Location(file: store.path), hint: "was the database built by a newer version of Cairn?")
    }
  }
}
