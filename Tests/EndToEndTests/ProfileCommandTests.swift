// SPDX-License-Identifier: Apache-2.0
import CostModel
import TestSupport
import Testing

@Suite("cairn profiles, cairn profile show and cairn profile check")
struct ProfileCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  @Test("cairn profiles lists the built-in profiles, or those in a database")
  func list() throws {
    let builtIn = try cairn("profiles")
    let names = builtIn.stdout.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(names == CostProfile.builtIn.map(\.name))
    let own = try folder.write(
      "cairn-profile: 1\nname: mine\ndescription: my own way\nbased-on: family", to: "mine.yaml")
    let database = try AsciiMap("A-B", ways: [.init("AB")])
      .routingDatabase(in: folder, profiles: [own, "shortest"])
    let stored = try cairn("profiles", database)
    #expect(
      stored.stdout
        == "mine      my own way\nshortest  on foot, the fewest metres that one may walk\n")
    let plain = try plainDatabase(in: folder, filledBy: [])
    #expect(try cairn("profiles", plain).status == 1)
  }

  @Test("a speed without effect on times is mentioned")
  func speedWithoutEffect() throws {
    let head = "cairn-profile: 1\nname: mine\nspeed-kmh: 4\n"
    let path = try folder.write(head, to: "mine.yaml")
    let checked = try cairn("profile", "check", path)
    #expect(checked.status == 0)
    #expect(checked.stderr.contains("speed-kmh does not change times by schweizer-wanderwege"))
    let used = try folder.write(head + "time-model: minetti\n", to: "used.yaml")
    #expect(try cairn("profile", "check", used).stderr == "")
  }

  @Test("a climb factor and factors of descent without effect on costs are mentioned")
  func climbWithoutEffect() throws {
    let head =
      "cairn-profile: 1\nname: mine\nbased-on: trail-hiking\nclimb-factor: 10\n"
      + "descent: { above-30: 2 }\n"
    let path = try folder.write(head, to: "climb.yaml")
    let checked = try cairn("profile", "check", path)
    #expect(checked.status == 0)
    #expect(checked.stderr.contains("\(path):4:15: climb-factor does not change costs by time"))
    #expect(checked.stderr.contains("\(path):5:10: descent does not change costs by time"))
    let used = try folder.write(head + "cost-base: equivalent-distance\n", to: "used-climb.yaml")
    #expect(try cairn("profile", "check", used).stderr == "")
  }

  @Test("it is mentioned at the line that wrote it, also in another file, and not where nobody did")
  func speedOfTheBase() throws {
    let base = try folder.write(
      "cairn-profile: 1\nname: slow\ntime-model: minetti\nspeed-kmh: 3\n", to: "base.yaml")
    let child = try folder.write(
      "cairn-profile: 1\nname: mine\nbased-on: base.yaml\ntime-model: tobler\n", to: "mine.yaml")
    #expect(
      try cairn("profile", "check", child).stderr
        == "cairn profile check: \(base):4:12: speed-kmh does not change times by tobler "
        + "(\(child):4:13); time-factor does\n")
    // The built-in profile has a speed, of which the author knows nothing.
    let family = try folder.write(
      "cairn-profile: 1\nname: ours\nbased-on: family\n", to: "ours.yaml")
    #expect(try cairn("profile", "check", family).stderr == "")
    let own = try folder.write("cairn-profile: 1\nname: own\nspeed-kmh: 4\n", to: "own.yaml")
    #expect(try cairn("profile", "check", own).stderr.contains("\(own):3:12: speed-kmh"))
  }

  @Test("a profile is shown as a file that defines the same profile, and that file is valid")
  func showAndCheck() throws {
    for name in CostProfile.builtIn.map(\.name) {
      let shown = try cairn("profile", "show", name)
      let path = try folder.write(shown.stdout, to: "\(name).yaml")
      let checked = try cairn("profile", "check", path)
      #expect(checked.status == 0, "\(checked.stderr)")
      #expect(checked.stdout.hasPrefix("\(path): \(name), fingerprint "))
      #expect(try cairn("profile", "show", path).stdout == shown.stdout)
    }
    #expect(try cairn("profile", "show", "hikng").status == 78)
  }

  @Test("every problem of every file is reported with line and column")
  func problems() throws {
    let bad = try folder.write(
      "cairn-profile: 1\nname: mine\nmax-sac: T8\nclimb-facter: 3\n", to: "bad.yaml")
    let good = try folder.write("cairn-profile: 1\nname: good\n", to: "good.yaml")
    let result = try cairn("profile", "check", bad, good, folder.file("absent.yaml"))
    #expect(result.status == 78)
    let lines = result.stderr.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(bad):3:10: “max-sac” must be one of "), "\(lines)")
    #expect(lines[1].hasPrefix("\(bad):4:1: unknown key “climb-facter”"), "\(lines)")
    #expect(lines[2].hasSuffix("absent.yaml: no such file"), "\(lines)")
    #expect(result.stdout.hasPrefix("\(good): good, "))
    #expect(try cairn("profile", "check", folder.file("absent.yaml")).status == 66)
  }
}
