// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "authgraph", path: ".."),
    .package(path: "GrowthModel"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "authgraph-bench",
      dependencies: [
        "CLimits",
        .product(name: "GrowthModel", package: "GrowthModel"),
        .product(name: "AuthCore", package: "authgraph"),
        .product(name: "AuthServer", package: "authgraph"),
        .product(name: "AuthTesting", package: "authgraph"),
        .product(name: "BuiltInProviders", package: "authgraph"),
        .product(name: "LuaPlugins", package: "authgraph"),
        .product(name: "MeasuredWork", package: "authgraph"),
        .product(name: "PostgresStore", package: "authgraph"),
        .product(name: "SQLiteStore", package: "authgraph"),
        .product(name: "SessionTokens", package: "authgraph"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      path: "Sources/Benchmarks", swiftSettings: strict),
    .executableTarget(
      name: "authgraph-trivial-server",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      path: "Sources/TrivialServer", swiftSettings: strict),
    .target(
      name: "CLimits",
      linkerSettings: ["argon2", "crypt", "lua5.4", "pq", "sqlite3"].map { .linkedLibrary($0) }),
  ]
)
