import AuthCore
import Foundation
import NIOCore

/// An identity provider that a script describes, for developers without a vendor at hand.
///
/// It has discovery, keys, authorization with PKCE, tokens, userinfo, introspection and revocation, a page on which
/// a browser chooses its person, and the script's own routes. It also has two conveniences: `GET /tokens` gives
/// tokens without a browser, and `POST /hostile` makes the provider lie. An app that does not request `openid` gets
/// plain OAuth 2. The provider listens on 127.0.0.1 only, and verifies no identity.
public struct ScriptedIdentityProvider: FakeVendor {
  /// The server that listens.
  public let server: VendorServer
  /// The script.
  public let script: IdentityScript
  private let scripted: ScriptedEndpoints

  /// The paths and answers.
  public var endpoints: any VendorEndpoints { scripted }

  /// Starts the provider.
  ///
  /// Throws `invalid-argument` with the field `port` if the port is not available, and with `person` if the script
  /// has no such person.
  ///
  /// - `script`: People, apps and behaviour.
  /// - `port`: The port, or 0 for a free one.
  /// - `person`: The subject or address of the person who is signed in everywhere without being asked.
  public static func start(
    _ script: IdentityScript = IdentityScript(), port: Int = 0, person: String? = nil
  ) async throws -> ScriptedIdentityProvider {
    let whose = try person.map { name throws(AuthError) in
      guard let whose = script.person(name) else {
        throw AuthError(
          .invalidArgument, "The provider knows no person \"\(name)\".", field: "person",
          remedy: suggestion(for: name, among: script.people.map(\.subject)))
      }
      return whose
    }
    let server = try await bind(port)
    let scripted = endpoints(of: script, at: server, person: whose)
    server.log.spared = ScriptedEndpoints.sparedPaths
    // A provider may run for days, and old requests are of no use.
    server.log.requestLimit = 1000
    scripted.hostility.turn(to: script.hostile)
    server.answer(with: scripted.answer)
    return ScriptedIdentityProvider(server: server, script: script, scripted: scripted)
  }

  private static func endpoints(
    of script: IdentityScript, at server: VendorServer, person: FakePerson?
  ) -> ScriptedEndpoints {
    let records = VendorRecords(
      // Random key IDs keep a verifier from confusing keys of two runs.
      name: VendorRecords.secret("idp-").prefix(10).description, url: server.url,
      issuer: script.issuer ?? server.url, algorithm: script.algorithm, clients: script.clients,
      people: script.people, clock: { .now() })
    var configuration = FakeOIDC.Configuration()
    configuration.algorithm = script.algorithm
    configuration.keysPath = ScriptedEndpoints.keysPath
    configuration.describesWithoutOpenID = true
    configuration.endpointsURL = script.issuer.map {
      $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
    let overview = IdentityOverview(address: server.url, host: server.host, script: script)
    return ScriptedEndpoints(
      standard: OIDCEndpoints(records: records, configuration: configuration), script: script,
      person: person, hostility: HostileSwitch(records, server.log), overview: overview.text)
  }

  private static func bind(_ port: Int) async throws -> VendorServer {
    guard (0...65_535).contains(port) else {
      throw AuthError(
        .invalidArgument, "\(port) is no port.", field: "port",
        remedy: "Choose one from 1 to 65535, or 0 for any that is free.")
    }
    do {
      return try await VendorServer.start(port: port)
    } catch let error as IOError {
      let isTaken = error.errnoCode == EADDRINUSE
      throw AuthError(
        .invalidArgument,
        isTaken
          ? "The port \(port) is taken by another program." : "The port \(port) cannot be used.",
        field: "port", remedy: "Choose another by --port, or --port 0 for any that is free.",
        cause: error)
    }
  }
}

extension ScriptedIdentityProvider {
  /// The overview of the provider, for people and programs.
  public var overview: IdentityOverview {
    IdentityOverview(address: server.url, host: server.host, script: script)
  }

  /// Shows these faults from now on, and no others.
  public func turnHostile(_ set: HostileSet) { scripted.hostility.turn(to: set) }

  /// The current faults.
  public var hostile: HostileSet { scripted.hostility.current }
}
