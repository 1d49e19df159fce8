import AuthCore
import Foundation
import IdentityToolkit

/// The functions that may refuse a sign-in, as Firebase's `BlockingFunctionsConfig`.
enum BlockingFunctionsDocument {
  private static let events = ["beforeCreate", "beforeSignIn"]

  static func value(_ functions: BlockingFunctions) -> JSONValue {
    var document: [String: JSONValue] = [:]
    if !functions.functionURIs.isEmpty {
      document["triggers"] = .object(
        functions.functionURIs.mapValues { ["functionUri": .string($0)] })
    }
    let forwarded: [String: JSONValue] = [
      "idToken": .bool(functions.forwardsIDToken),
      "accessToken": .bool(functions.forwardsAccessToken),
      "refreshToken": .bool(functions.forwardsRefreshToken),
    ].filter { $0.value == true }
    if !forwarded.isEmpty { document["forwardInboundCredentials"] = .object(forwarded) }
    return .object(document)
  }

  /// Writes the functions.
  ///
  /// Throws `INVALID_BLOCKING_FUNCTION` for an unknown event or an invalid URI.
  static func write(
    _ document: WireFields?, to functions: inout BlockingFunctions
  ) throws(WireError) {
    var uris: [String: String] = [:]
    let triggers = try document?.object("triggers")
    for event in (triggers?.members.keys).map({ $0.sorted() }) ?? [] {
      guard events.contains(event) else {
        throw WireError("INVALID_BLOCKING_FUNCTION", "((Event type is invalid.))")
      }
      guard let uri = try triggers?.object(event)?.filled("functionUri") else { continue }
      guard isAbsolute(uri) else {
        throw WireError(
          "INVALID_BLOCKING_FUNCTION",
          "((Expected an absolute URI with valid scheme and host.))")
      }
      uris[event] = uri
    }
    functions.functionURIs = uris
    let forwarded = try document?.object("forwardInboundCredentials")
    functions.forwardsIDToken = try forwarded?.bool("idToken") ?? false
    functions.forwardsAccessToken = try forwarded?.bool("accessToken") ?? false
    functions.forwardsRefreshToken = try forwarded?.bool("refreshToken") ?? false
  }

  private static func isAbsolute(_ text: String) -> Bool {
    guard let url = URLComponents(string: text) else { return false }
    return url.scheme?.isEmpty == false && url.host?.isEmpty == false
  }
}
