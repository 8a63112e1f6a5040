// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import StrictYAML

extension ManifestReader {
  /// Reads `resources`: the resources of stages, by name.
  package func resources(_ value: YAMLValue?, stages: [String]) -> [String: Manifest.Resources] {
    var resources: [String: Manifest.Resources] = [:]
    let names = [Manifest.anyStage] + stages
    let form = ManifestForm.resources(of: names)
    guard let reader = value?.checked(by: .mapping(form)).mapping() else { return resources }
    for name in names {
      guard let stage = reader.value(name)?.mapping() else { continue }
      resources[name] = Manifest.Resources(
        threads: stage.value("threads")?.integer(),
        memoryMiB: stage.value("memory").flatMap(mebibytes),
        timeSeconds: stage.value("time").flatMap(seconds))
      stage.finish()
    }
    reader.finish()
    return resources
  }

  private func mebibytes(_ value: YAMLValue) -> Int? {
    if let text = value.text(), let number = Int(text) { return number }
    return bytes(value, least: 1_048_576).map { ($0 + (1 << 20) - 1) >> 20 }
  }

  /// A size, such as `2 GiB`, at most a petabyte: more is a mistake.
  package func bytes(_ value: YAMLValue, least: Double = 1) -> Int? {
    let number = quantity(value, units: byteUnits, in: least...1e15, example: "2 GiB")
    return number.map { Int($0.rounded(.up)) }
  }

  /// A time, such as `30 min`, of at least a second and at most a year.
  package func seconds(_ value: YAMLValue) -> Double? {
    quantity(value, units: timeUnits, in: 1...31_622_400, example: "30 min")
  }

  /// A number and its unit, such as `1.5 GiB` or `90s`.
  private func quantity(
    _ value: YAMLValue, units: [String: Double], in range: ClosedRange<Double>, example: String
  ) -> Double? {
    guard let text = value.text() else { return nil }
    guard let (number, unit) = splitQuantity(text), let factor = units[unit] else {
      let names = units.sorted { $0.value < $1.value }.map(\.key)
      value.refuse(
        "must be a number with a unit (\(names.joined(separator: ", "))), not “\(text.prefix(40))”",
        hint: "such as \(example)")
      return nil
    }
    guard range.contains(number * factor) else {
      value.refuse("is too \(number * factor < range.lowerBound ? "small" : "large"): “\(text)”")
      return nil
    }
    return number * factor
  }
}
