import Foundation
import TestSupport
import Testing

/// An app that only imports AuthClient holds nothing of the server.
///
/// Its package fetches every dependency of this one, because SwiftPM resolves packages, but builds none of them.
@Suite struct `An app of AuthClient alone` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `its targets are AuthValues and IdentityToolkit`() async throws {
    let folder = folder
    let text = try await blocking {
      try runProgram(
        "swift",
        [
          "package", "--package-path", Program.root, "--scratch-path", "\(folder.path)/described",
          "describe", "--type", "json",
        ])
    }
    let json = try #require(text.firstIndex(of: "{").map { text[$0...] })
    let package = try JSONDecoder().decode(Description.self, from: Data(json.utf8))
    var reached: Set<String> = []
    var next = ["AuthClient"]
    while let name = next.popLast() {
      let target = try #require(package.targets.first { $0.name == name })
      #expect(target.productDependencies ?? [] == [], "\(name)")
      for other in target.targetDependencies ?? [] where reached.insert(other).inserted {
        next.append(other)
      }
    }
    #expect(reached == ["AuthValues", "IdentityToolkit"])
  }

  @Test func `its release build has no symbol of the server, and signs up`() async throws {
    let folder = folder
    let program = try await blocking { try Self.build(in: folder) }
    let (symbols, libraries) = try await blocking {
      (try runProgram("nm", [program]), try runProgram("readelf", ["-d", program]))
    }
    #expect(symbols.contains("10AuthClient"))
    for foreign in [
      "7NIOCore", "CNIO", "c_nio_", "AsyncHTTPClient", "BoringSSL", "_luaL_", "sqlite3_", "argon2",
      "Hummingbird",
      "8AuthCore", "10LuaRuntime",
    ] {
      #expect(!symbols.contains(foreign), "\(foreign)")
    }
    for foreign in ["liblua", "libsqlite", "libargon2", "libpq", "libedit", "libqrencode"] {
      #expect(!libraries.contains(foreign), "\(foreign)")
    }
    let output = try await blocking {
      let server = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      return try runProgram(program, [server.address])
    }
    #expect(output == "ada@example.com is signed in, and signed out.\n")
  }

  /// Builds the app in a folder of its own beside the package's, and returns its program.
  private static func build(in folder: TemporaryFolder) throws -> String {
    let sources = "\(folder.path)/Sources/app"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try folder.write("Package.swift", manifest)
    try folder.write("Sources/app/App.swift", code)
    // The versions of the package itself, so that nothing has to be looked up.
    let versions = "\(Program.root)/Package.resolved"
    if FileManager.default.fileExists(atPath: versions) {
      try FileManager.default.copyItem(atPath: versions, toPath: "\(folder.path)/Package.resolved")
    }
    let scratch = "\(Program.root)/.build-app"
    try runProgram(
      "swift",
      [
        "build", "-c", "release", "--product", "app", "--package-path", folder.path,
        "--scratch-path", scratch,
      ])
    return "\(scratch)/release/app"
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "app", platforms: [.macOS(.v15)],
      dependencies: [.package(name: "authgraph", path: "\(Program.root)")],
      targets: [
        .executableTarget(
          name: "app", dependencies: [.product(name: "AuthClient", package: "authgraph")])
      ])

    """

  private static let code = """
    import AuthClient
    import Foundation

    @main struct App {
      static func main() async throws {
        let server = URL(string: CommandLine.arguments[1])
        guard let server else { return }
        let auth = Auth(backend: HTTPBackend(server: server))
        let made = try await auth.createUser(withEmail: "ada@example.com", password: "correct horse")
        try auth.signOut()
        let user = try await auth.signIn(withEmail: "ada@example.com", password: "correct horse").user
        guard user.uid == made.user.uid else { return }
        try auth.signOut()
        print("\\(user.email ?? "?") is signed in, and signed out.")
      }
    }

    """

  private struct Description: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let name: String
      let targetDependencies: [String]?
      let productDependencies: [String]?

      enum CodingKeys: String, CodingKey {
        case name
        case targetDependencies = "target_dependencies"
        case productDependencies = "product_dependencies"
      }
    }
  }
}
