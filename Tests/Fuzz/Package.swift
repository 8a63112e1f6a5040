// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "cairn-fuzz",
  dependencies: [.package(name: "cairn", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "cairn-fuzz",
      dependencies: ["CLibFuzzer", .product(name: "FuzzTargets", package: "cairn")],
      // gold, the default, breaks off at the debug information of instrumented code.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ]
)
