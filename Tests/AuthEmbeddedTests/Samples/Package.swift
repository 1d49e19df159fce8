// swift-tools-version: 6.2
import PackageDescription

// `run` copies this into a folder of the package that it depends on.
let package = Package(
  name: "samples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "authgraph", path: "..")],
  targets: [
    .executableTarget(
      name: "samples",
      dependencies: [
        .product(name: "AuthClient", package: "authgraph"),
        .product(name: "AuthCore", package: "authgraph"),
        .product(name: "AuthEmbedded", package: "authgraph"),
        .product(name: "SQLiteStore", package: "authgraph"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
