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
  name: "authgraph",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "authgraph", targets: ["authgraph"]),
    .library(name: "AuthClient", targets: ["AuthClient", "AuthClientObjC"]),
    .library(name: "AuthCore", targets: ["AuthCore"]),
    .library(name: "AuthValues", targets: ["AuthValues"]),
    .library(name: "AuthEmbedded", targets: ["AuthEmbedded", "IdentityToolkitService"]),
    .library(name: "BuiltInProviders", targets: ["BuiltInProviders"]),
    .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
    .library(name: "PostgresStore", targets: ["PostgresStore"]),
    .library(name: "LuaPlugins", targets: ["LuaPlugins"]),
    .library(name: "PluginKit", targets: ["PluginKit"]),
    .library(name: "AuthTesting", targets: ["AuthTesting", "FakeVendors", "ProviderChecks"]),
    .library(name: "AuthTestKit", targets: ["AuthTestKit"]),
    .library(name: "AuthServer", targets: ["AuthServer", "IdentityToolkitService"]),
    .library(name: "IdentityToolkit", targets: ["IdentityToolkit", "UserFiles"]),
    .library(name: "SessionTokens", targets: ["SessionTokens"]),
    .library(name: "SMTPMessages", targets: ["SMTPMessages"]),
    .library(name: "Tokens", targets: ["Tokens"]),
    // The code that `Benchmarks` measures.
    .library(name: "MeasuredWork", targets: ["MeasuredWork"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "authgraph",
      dependencies: [
        "Commands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .target(
      name: "Commands",
      dependencies: [
        "AdminConsole", "AuthCore", "AuthServer", "BuiltInProviders", "Conformance", "FakeVendors",
        "HTTPClientTransport", "IdentityToolkit", "IdentityToolkitService", "LuaPlugins",
        "LuaRuntime", "PluginKit", "PostgresStore", "SessionTokens", "SMTPMessages", "SQLAccounts",
        "SQLiteStore", "TerminalOutput", "UserFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "Yams", package: "Yams"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "AdminConsole",
      dependencies: [
        "AuthCore", "CEditLine", "CQRencode", "LuaPlugins", "LuaRuntime", "SessionTokens",
        "TerminalOutput",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "AuthServer",
      dependencies: [
        "IdentityToolkit", "IdentityToolkitService",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "IdentityToolkitService",
      dependencies: [
        "AuthCore", "BuiltInProviders", "IdentityToolkit", "LuaPlugins", "SessionTokens",
        "UserFiles", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "AuthClient", dependencies: ["AuthValues", "IdentityToolkit"], swiftSettings: strict),
    .target(
      name: "AuthEmbedded",
      dependencies: [
        "AuthClient", "AuthCore", "BuiltInProviders", "HTTPClientTransport",
        "IdentityToolkitService",
      ], swiftSettings: strict),
    .target(
      name: "SessionTokens",
      dependencies: [
        "AuthCore", "Tokens",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "SMTPMessages",
      dependencies: [
        "AuthValues",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(name: "IdentityToolkit", dependencies: ["AuthValues"], swiftSettings: strict),
    // What the protocol promises, as data, and the runner that compares a server with it.
    .target(
      name: "Conformance", dependencies: ["AuthValues", "CConformance"], exclude: ["Cases"],
      swiftSettings: strict),
    .target(name: "UserFiles", dependencies: ["AuthCore"], swiftSettings: strict),
    .target(
      name: "PluginKit",
      dependencies: [
        "AuthCore", "BuiltInProviders", "FakeVendors", "LuaPlugins", "ProviderChecks",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "LuaPlugins",
      dependencies: [
        "AuthCore", "BuiltInProviders", "LuaRuntime",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "LuaRuntime",
      dependencies: [
        "AuthValues", "CLua", "CLuaShim", "TerminalOutput",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "Tokens",
      dependencies: [
        "AuthCore", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ], swiftSettings: strict),
    .target(
      name: "BuiltInProviders",
      dependencies: [
        "AuthCore", "CArgon2", "CCrypt", "TerminalOutput", "Tokens",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "HTTPClientTransport",
      dependencies: [
        "AuthValues", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "SQLiteStore",
      dependencies: [
        "AuthCore", "CSQLite3", "SQLAccounts",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "PostgresStore",
      dependencies: [
        "AuthCore", "CPostgres", "SQLAccounts",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "SQLAccounts",
      dependencies: [
        "AuthCore", .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "FakeVendors",
      dependencies: [
        "AuthCore", "Tokens", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(name: "ProviderChecks", dependencies: ["AuthCore"], swiftSettings: strict),
    .target(
      name: "AuthTesting",
      dependencies: [
        "AuthCore", "ProviderChecks", .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(
      name: "AuthTestKit",
      dependencies: [
        "AuthClient", "AuthCore", "AuthEmbedded", "AuthTesting", "BuiltInProviders", "FakeVendors",
        "IdentityToolkitService", .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
    .target(name: "AuthCore", dependencies: ["AuthValues"], swiftSettings: strict),
    .target(name: "AuthValues", swiftSettings: strict),
    .target(name: "TerminalOutput", swiftSettings: strict),
    .target(name: "AuthClientObjC"),
    // The files of `Sources/Conformance/Cases`, as bytes of the program.
    .target(name: "CConformance"),
    .target(name: "CLuaShim", dependencies: ["CLua"]),
    .target(name: "CEditLine", linkerSettings: [.linkedLibrary("edit")]),
    .systemLibrary(
      name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSQLite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(
      name: "CCrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),

    .testTarget(
      name: "AuthCoreTests",
      dependencies: ["AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AuthValuesTests", dependencies: ["AuthTesting", "AuthValues", "TestSupport"],
      swiftSettings: strict),
    // Doubles and steps that several test targets share.
    .target(
      name: "TestSupport", dependencies: ["AuthCore"], path: "Tests/TestSupport",
      swiftSettings: strict),
    // The writers of the random operations, as tasks and in three processes.
    .target(
      name: "RandomOperations",
      dependencies: ["AuthCore", "AuthTesting", "FakeVendors", "TestSupport"],
      path: "Tests/RandomOperations", swiftSettings: strict),
    .executableTarget(
      name: "randomwriter", dependencies: ["PostgresStore", "RandomOperations"],
      path: "Tests/RandomWriter", swiftSettings: strict),
    // Worlds of people: random histories, every short one, every small snapshot, and simulations of servers.
    .target(
      name: "SmallWorlds",
      dependencies: [
        "AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "RandomOperations",
        "TestSupport", .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], path: "Tests/SmallWorlds", swiftSettings: strict),
    .executableTarget(
      name: "prove",
      dependencies: [
        "SmallWorlds", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/Prove", swiftSettings: strict),
    // Work whose instructions a test counts, and whose time `Benchmarks` measures.
    .target(
      name: "MeasuredWork",
      dependencies: [
        "AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "IdentityToolkitService",
        "LuaPlugins", "SessionTokens", .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], path: "Tests/MeasuredWork", swiftSettings: strict),
    .target(name: "CCounting", path: "Tests/CCounting"),
    .executableTarget(
      name: "countedruns",
      dependencies: [
        "AuthCore", "CCounting", "LuaPlugins", "MeasuredWork", "SQLiteStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/CountedRuns", swiftSettings: strict),
    .testTarget(
      name: "InvariantTests",
      dependencies: [
        "AuthCore", "AuthTesting", "FakeVendors", "PostgresStore", "RandomOperations",
        "randomwriter", "SmallWorlds", "SQLiteStore", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BuiltInProvidersTests",
      dependencies: [
        "AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "HTTPClientTransport",
        "LuaPlugins", "ProviderChecks", "SQLiteStore", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], exclude: ["Plugins", "RealServer/Canaille", "RealServer/Debian"], swiftSettings: strict),
    .testTarget(
      name: "TokensTests",
      dependencies: [
        "AuthCore", "AuthTesting", "FakeVendors", "TestSupport", "Tokens",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], swiftSettings: strict),
    .testTarget(
      name: "HTTPClientTransportTests",
      dependencies: ["AuthCore", "FakeVendors", "HTTPClientTransport", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "AuthCore", "AuthTesting", "CSQLite3", "SQLAccounts", "SQLiteStore", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PostgresStoreTests",
      dependencies: [
        "AuthCore", "AuthTesting", "FakeVendors", "PostgresStore", "SQLAccounts", "SQLiteStore",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AuthCore", "authgraph", "AuthTesting", "BuiltInProviders", "Commands", "countedruns",
        "FakeVendors", "LuaPlugins", "PluginKit", "PostgresStore", "SQLiteStore", "TestSupport",
      ],
      exclude: ["WebSDK"], swiftSettings: strict),
    .testTarget(
      name: "AuthTestingTests",
      dependencies: ["AuthCore", "AuthTesting", "FakeVendors", "ProviderChecks", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AuthTestKitTests",
      dependencies: ["AuthClient", "AuthCore", "AuthTestKit", "AuthTesting", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FakeVendorsTests",
      dependencies: [
        "AuthCore", "AuthTesting", "FakeVendors", "ProviderChecks",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], swiftSettings: strict),
    .testTarget(
      name: "LuaPluginsTests",
      dependencies: [
        "AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "HTTPClientTransport",
        "LuaPlugins", "LuaRuntime", "SQLiteStore", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "AuthServerTests",
      dependencies: [
        "AdminConsole", "AuthClient", "AuthCore", "AuthEmbedded", "AuthServer", "AuthTesting",
        "BuiltInProviders", "Commands", "Conformance", "FakeVendors", "HTTPClientTransport",
        "IdentityToolkit", "IdentityToolkitService", "LuaPlugins", "LuaRuntime", "PostgresStore",
        "SessionTokens", "SQLiteStore", "TestSupport", "UserFiles",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], exclude: ["AdminSDK"], swiftSettings: strict),
    .testTarget(
      name: "AuthClientTests",
      dependencies: [
        "AuthClient", "AuthCore", "AuthTesting", "IdentityToolkit", "TestSupport",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AuthEmbeddedTests",
      dependencies: [
        "AuthClient", "AuthCore", "AuthEmbedded", "AuthServer", "AuthTestKit", "AuthTesting",
        "BuiltInProviders", "FakeVendors", "HTTPClientTransport", "IdentityToolkitService",
        "LuaPlugins", "SessionTokens", "SMTPMessages", "SQLiteStore",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], exclude: ["Samples"], swiftSettings: strict),
    .testTarget(
      name: "SessionTokensTests",
      dependencies: [
        "AuthCore", "AuthTesting", "FakeVendors", "SessionTokens", "SQLiteStore", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], swiftSettings: strict),
    .testTarget(
      name: "SMTPMessagesTests",
      dependencies: [
        "AuthCore", "SMTPMessages", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .testTarget(
      name: "IdentityToolkitTests", dependencies: ["AuthValues", "IdentityToolkit"],
      swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "AuthValues", "Conformance", "FakeVendors", "HTTPClientTransport",
      ], swiftSettings: strict),
    .testTarget(
      name: "UserFilesTests", dependencies: ["AuthCore", "TestSupport", "UserFiles"],
      swiftSettings: strict),
    .testTarget(
      name: "PluginKitTests",
      dependencies: [
        "AuthCore", "AuthTesting", "BuiltInProviders", "FakeVendors", "HTTPClientTransport",
        "LuaPlugins",
        "PluginKit", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ], exclude: ["Faulty"], swiftSettings: strict),
    .testTarget(
      name: "LuaRuntimeTests", dependencies: ["AuthTesting", "LuaRuntime", "TestSupport"],
      exclude: ["Hostile"],
      swiftSettings: strict),
    .testTarget(
      name: "AdminConsoleTests",
      dependencies: [
        "AdminConsole", "AuthCore", "AuthTesting", "BuiltInProviders", "CEditLine", "FakeVendors",
        "LuaPlugins", "LuaRuntime", "SessionTokens", "SQLiteStore", "TerminalOutput", "TestSupport",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ], swiftSettings: strict),
  ]
)
