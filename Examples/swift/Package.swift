// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "route",
  platforms: [.macOS(.v14)],
  dependencies: [
    // An app names a release instead: .package(url: …, from: …).
    .package(name: "cairn", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "route",
      dependencies: [.product(name: "Cairn", package: "cairn")],
      path: "Sources")
  ]
)
