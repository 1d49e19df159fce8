// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "GrowthModel",
  products: [.library(name: "GrowthModel", targets: ["GrowthModel"])],
  targets: [
    .target(name: "GrowthModel", swiftSettings: strict),
    .testTarget(name: "GrowthModelTests", dependencies: ["GrowthModel"], swiftSettings: strict),
  ]
)
