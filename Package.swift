// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is built with.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "authgraph",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "AuthCore", targets: ["AuthCore"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "AuthCore", swiftSettings: strict),
    .target(name: "IdentityToolkit", dependencies: ["AuthCore"], swiftSettings: strict),
  ]
)
