import AuthCore
import Foundation

/// An independent OpenID provider in its own process.
struct OpenIDServer: Sendable {
  /// The providers, by the folders of the scripts that run them.
  enum Product: String, Sendable {
    /// In Python; needs Python 3 with venv, and a package index once.
    case canaille = "Canaille"
    /// In C; needs Debian's package, which is fetched once and not installed.
    case glewlwyd = "Debian/Glewlwyd"
    /// In Perl; needs Debian's packages, which are fetched once and not installed.
    case lemonLDAP = "Debian/LemonLDAP"

    var folder: URL {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(rawValue)
    }

    /// The provider's ID in a configuration.
    var id: ProviderID { ProviderID("oidc.\(folder.lastPathComponent.lowercased())") }

    /// True if Debian's packages can be fetched on this machine.
    static let canFetch: Bool = {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["apt-cache", "show", "glewlwyd", "liblemonldap-ng-portal-perl"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }()
  }

  struct Description: Decodable, Sendable {
    struct Person: Decodable, Sendable {
      let subject: String
      let password: String
      let email: String
      let name: String
    }

    let issuer: String
    let clientID: String
    let clientSecret: String?
    let person: Person
  }

  static let redirectURI = "http://127.0.0.1:8/callback"

  let product: Product
  let description: Description

  /// Runs a provider for as long as the body runs.
  static func run<Result>(
    _ kind: String, of product: Product = .canaille, algorithm: String = "RS256",
    _ body: (OpenIDServer) async throws -> Result
  ) async throws -> Result {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", product.folder.appendingPathComponent("serve.py").path, redirectURI, kind]
      + ["--algorithm", algorithm]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      // The provider ends with its input, which also ends if this process is killed.
      try? input.fileHandleForWriting.close()
      end(process)
    }
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        throw AuthError(.internalError, "The OpenID provider ended before it was ready.")
      }
      line += byte
    }
    let description = try JSONDecoder().decode(Description.self, from: line)
    return try await body(OpenIDServer(product: product, description: description))
  }

  /// Waits until a process has ended; kills one that does not, because every other signal may be blocked.
  private static func end(_ process: Process) {
    let patience = Date(timeIntervalSinceNow: 10)
    while process.isRunning, Date() < patience { usleep(10_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Signs the person in at a browser, and returns the fields of the callback.
  func browse(_ authorizeURL: String) throws -> [String: String] {
    let person = description.person
    let visit = try run(
      "browser.py", [authorizeURL, Self.redirectURI, person.subject, person.password])
    guard visit.status == 0 else {
      throw AuthError(.internalError, "The person was not signed in: \(visit.output)")
    }
    return visit.output.trimmingCharacters(in: .whitespacesAndNewlines).queryFields
  }

  /// The settings of `oidc.NAME` for the provider.
  var settings: ProviderSettings {
    ProviderSettings(
      product.id, values,
      secrets: description.clientSecret.map { ["clientSecret": $0] } ?? [:])
  }

  var values: [String: JSONValue] {
    [
      "issuer": .string(description.issuer), "clientID": .string(description.clientID),
      "privateHosts": privateHosts,
    ]
  }

  var privateHosts: JSONValue { [.string(URLText.host(of: description.issuer) ?? "")] }

  private func run(
    _ script: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", product.folder.appendingPathComponent(script).path] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
