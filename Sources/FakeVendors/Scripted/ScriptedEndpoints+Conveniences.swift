import AuthCore

extension ScriptedEndpoints {
  /// Answers with an ID token and an access token at once, to try code that needs no browser.
  ///
  /// No standard has this; it is for the developer who runs the provider.
  func convenientTokens(_ request: VendorRequest) -> VendorResponse {
    guard request.method == "GET" else { return Self.notAllowed("GET") }
    let query = request.query
    let known = ["person", "client_id", "nonce", "scope"]
    if let unknown = query.names.first(where: { !known.contains($0) }) {
      return refusal(
        "There is no parameter \"\(unknown)\".", suggestion(for: unknown, among: known))
    }
    let people = records.with(\.people)
    let name = query["person"] ?? person?.subject ?? people.first?.subject ?? ""
    guard let whose = people.first(where: { $0.subject == name || $0.email == name }) else {
      return refusal(
        "The provider knows no person of this name.",
        suggestion(for: name, among: people.map(\.subject)))
    }
    let clientIDs = records.with { $0.clients.map(\.id) }
    let clientID = query["client_id"] ?? clientIDs.first ?? ""
    guard clientIDs.contains(clientID) else {
      return refusal(
        "There is no app with this client_id.", suggestion(for: clientID, among: clientIDs))
    }
    let scopes = (query["scope"] ?? "openid email profile").split(separator: " ").map(String.init)
    let grant = Grant(
      person: whose, clientID: clientID, scopes: scopes, nonce: query["nonce"],
      issuedAt: records.clock())
    return tokens(for: grant)
  }

  private func tokens(for grant: Grant) -> VendorResponse {
    let lies = records.misbehavior
    let access = records.issueAccessToken(grant, prefix: accessTokenPrefix)
    var members: [String: JSONValue] = [
      "access_token": .string(access), "token_type": "Bearer",
      "expires_in": .integer(grant.lifetime),
      "scope": .string(grant.scopes.joined(separator: " ")),
    ]
    if grant.scopes.contains("openid"), !lies.omitsIDToken {
      let token = try? idToken(
        for: grant.person, audience: grant.clientID, nonce: grant.nonce,
        adding: ["at_hash": halfHash(access)], hostile: lies.idToken)
      guard let token else { return Self.broken }
      members["id_token"] = .string(token)
    }
    return .json(.object(members), headers: [RequestFields.Field("Cache-Control", "no-store")])
  }

  /// Answers the provider's faults, and changes them: `{"names": ["algorithm-none"]}`.
  func hostileSwitch(_ request: VendorRequest) -> VendorResponse {
    switch request.method {
    case "GET": return .json(hostileState)
    case "POST":
      guard case .object(let body)? = request.json, body.count == 1,
        case .array(let elements)? = body["names"]
      else {
        return refusal("The body is not understood.", "Send {\"names\": [\"algorithm-none\"]}.")
      }
      do throws(AuthError) {
        let names = elements.map { $0.stringValue ?? $0.text }
        hostility.turn(to: try HostileSet(names: names))
        return .json(hostileState)
      } catch {
        return refusal(error.message, error.remedy)
      }
    default: return Self.notAllowed("GET, POST")
    }
  }

  private var hostileState: JSONValue {
    ["names": .array(hostility.current.names.map(JSONValue.string))]
  }

  private func refusal(_ message: String, _ remedy: String?) -> VendorResponse {
    let words = remedy.map { "\(message) \($0)" } ?? message
    return .json(["error": "invalid_request", "error_description": .string(words)], status: 400)
  }

  private static func notAllowed(_ methods: String) -> VendorResponse {
    .json(
      ["error": "method_not_allowed"], status: 405,
      headers: [RequestFields.Field("Allow", methods)])
  }
}
