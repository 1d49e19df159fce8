import AuthCore
import Foundation
import NIOCore

/// Plays an identity provider that a script describes, for people who have no vendor at hand.
///
/// Beside discovery, keys, authorization with PKCE, tokens, userinfo, introspection and revocation it has a page
/// where a browser chooses who it is, the script's own routes, and two conveniences of its own: `GET /tokens` gives
/// tokens without a browser, and `POST /hostile` makes it lie. An app that does not ask for `openid` gets plain
/// OAuth 2. It listens on 127.0.0.1 only, and proves nothing about anybody.
public struct ScriptedIdentityProvider: FakeVendor {
  public let server: VendorServer
  public let script: IdentityScript
  private let scripted: ScriptedEndpoints

  public var endpoints: any VendorEndpoints { scripted }

  /// Starts it.
  ///
  /// Throws `invalid-argument` with the field `port` where the port is not to be had, and with `person` where the
  /// script has nobody of this name.
  ///
  /// - `script`: People, apps and behaviour.
  /// - `port`: The port, or 0 for one that is free.
  /// - `person`: The subject or address of who signs in everywhere without being asked.
  public static func start(
    _ script: IdentityScript = IdentityScript(), port: Int = 0, person: String? = nil
  ) async throws -> ScriptedIdentityProvider {
    let whose = try person.map { name throws(AuthError) in
      guard let whose = script.person(name) else {
        throw AuthError(
          .invalidArgument, "The provider knows nobody called \"\(name)\".", field: "person",
          remedy: suggestion(for: name, among: script.people.map(\.subject)))
      }
      return whose
    }
    let server = try await bind(port)
    let scripted = endpoints(of: script, at: server, person: whose)
    server.log.spared = ScriptedEndpoints.sparedPaths
    // A provider may run for days, and nobody asks for what came long ago.
    server.log.requestLimit = 1000
    scripted.hostility.turn(to: script.hostile)
    server.answer(with: scripted.answer)
    return ScriptedIdentityProvider(server: server, script: script, scripted: scripted)
  }

  private static func endpoints(
    of script: IdentityScript, at server: VendorServer, person: FakePerson?
  ) -> ScriptedEndpoints {
    let records = VendorRecords(
      // Key IDs of their own keep a verifier from taking a key of the last run for one of this.
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
          ? "The port \(port) is taken by another program." : "The port \(port) is not to be had.",
        field: "port", remedy: "Choose another by --port, or --port 0 for any that is free.",
        cause: error)
    }
  }
}

extension ScriptedIdentityProvider {
  /// What there is, for people and for programs.
  public var overview: IdentityOverview {
    IdentityOverview(address: server.url, host: server.host, script: script)
  }

  /// Shows these behaviours from now on, and no other.
  public func turnHostile(_ set: HostileSet) { scripted.hostility.turn(to: set) }

  /// The behaviours that are shown now.
  public var hostile: HostileSet { scripted.hostility.current }
}
