import AuthCore
import Foundation

/// The paths and answers of ``ScriptedIdentityProvider``: those of an OpenID provider, and some of its own.
struct ScriptedEndpoints: VendorEndpoints {
  static let keysPath = "/keys"

  /// The paths that no route of a script can have.
  static let ownPaths: Set<String> = [
    "/", "/.well-known/openid-configuration", "/authorize", "/token", "/userinfo", keysPath,
    "/introspect", "/revoke", "/tokens", "/hostile", HostileToken.attackerKeysPath,
    HostileToken.attackerCertificatePath, VendorServer.elsewhere,
  ]

  /// The paths for the developer who runs the provider, which never show a fault.
  static let sparedPaths: Set<String> = ["/", "/tokens", "/hostile"]

  let standard: OIDCEndpoints
  let script: IdentityScript
  /// The person who is signed in everywhere without being asked.
  let person: FakePerson?
  let hostility: HostileSwitch
  let overview: String

  var records: VendorRecords { standard.records }

  func answer(_ request: VendorRequest) -> VendorResponse? {
    guard Self.isLocal(request.headers["host"]) else {
      return .json(["error": "misdirected_request"], status: 421)
    }
    if let route = script.routes.first(where: { $0.path == request.path }) {
      return answer(request, at: route.path)
    }
    if let vendor = script.vendor, let response = answer(request, as: vendor) { return response }
    let request = withoutIssuerPath(request)
    return switch request.path {
    case "/": .text(overview)
    case "/authorize": signInPage(request)
    case "/tokens": convenientTokens(request)
    case "/hostile": hostileSwitch(request)
    default: standard.answer(request)
    }
  }

  /// The request without the issuer's path, which is the prefix of every path.
  private func withoutIssuerPath(_ request: VendorRequest) -> VendorRequest {
    let path = standard.configuration.endpointsURL.flatMap { URLComponents(string: $0)?.path } ?? ""
    guard !path.isEmpty, request.path.hasPrefix(path + "/") else { return request }
    var request = request
    request.path = String(request.path.dropFirst(path.count))
    return request
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    standard.claims(for: person, audience: audience, nonce: nonce)
  }

  /// Refuses requests under another host name, which a foreign page can point here (DNS rebinding).
  private static func isLocal(_ host: String?) -> Bool {
    guard let host else { return true }
    let name = host.split(separator: ":").first.map { $0.lowercased() } ?? ""
    return name == "127.0.0.1" || name == "localhost"
  }

  private func answer(_ request: VendorRequest, at path: String) -> VendorResponse {
    let routes = script.routes.filter { $0.path == path }
    guard let route = routes.first(where: { $0.method == request.method }) else {
      let methods = routes.map(\.method).sorted().joined(separator: ", ")
      return .json(
        ["error": "method_not_allowed"], status: 405,
        headers: [RequestFields.Field("Allow", methods)])
    }
    guard let grant = records.grant(ofAccessToken: request.bearerToken) else {
      // RFC 6750, 3.1
      return .json(
        ["error": "invalid_token"], status: 401,
        headers: [RequestFields.Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
    }
    return route.response(for: records.misbehavior.profilePerson ?? records.person(of: grant))
  }
}
