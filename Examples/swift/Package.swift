// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "examples",
  platforms: [.macOS(.v14)],
  dependencies: [
    // An app names a release instead: .package(url: …, from: …).
    .package(name: "cairn", path: "../..")
  ],
  targets: ["route", "journey"].map {
    .executableTarget(
      name: $0, dependencies: [.product(name: "Cairn", package: "cairn")], path: "Sources/\($0)")
  }
)
