import AuthCore
import IdentityToolkitService

/// Repeated parts of a request beside the lists and objects of its body.
extension HostileRequests {
  /// Sends each of the texts once.
  public func sendTexts() async throws {
    for (name, request) in texts {
      let response = try await request(self)
      guard let response, response.status >= 500, response.status != 501 else { continue }
      throw Unexpected(description: "\(name): \(response.status)")
    }
    let hops = joined(", ") { _ in "10.1.2.3" }
    guard areSent else { return }
    _ = ClientAddress.of(
      peer: "10.0.0.1", forwardedFor: hops,
      trusted: ["10.0.0.0/8", "192.168.0.0/16"].compactMap(NetworkPrefix.init))
  }

  private typealias Request = @Sendable (HostileRequests) async throws -> ServerResponse?

  private var texts: [(name: String, request: Request)] {
    let pairs = joined("&") { "p\($0)=x" }
    let words = joined(" ") { "w\($0)" }
    let members = "{" + joined(",") { "\"p\($0)\":\"x\"" } + "}"
    let list = "[" + joined(",") { "\"w\($0)\"" } + "]"
    let form = ["content-type": "application/x-www-form-urlencoded", "authorization": ""]
    let handler = "apiKey=k&providerId=google.com&redirectUrl=http%3A%2F%2Flocalhost%2F"
    func post(
      _ path: String, _ fields: [String: JSONValue], in mode: ServerMode = .production
    ) -> Request {
      { server in
        try await server.send(
          "POST", path, Array(JSONValue.object(fields).text.utf8),
          headers: ["authorization": ""], in: mode)
      }
    }
    func posted(_ path: String, _ text: String) -> Request {
      { try await $0.send("POST", path, Array(text.utf8), query: "key=k", headers: form) }
    }
    let authURI: [String: JSONValue] = [
      "providerId": "google.com", "continueUri": "http://localhost/",
    ]
    let idp = "/v1/accounts:signInWithIdp"
    return [
      ("form of a token", posted("/v1/token", pairs)),
      ("form of the handler", posted("/__/auth/handler", handler + "&" + pairs)),
      (
        "customParameters",
        posted(
          "/__/auth/handler", "\(handler)&customParameters=\(URLText.escaped(members))")
      ),
      (
        "scopes as a list",
        posted("/__/auth/handler", "\(handler)&scopes=\(URLText.escaped(list))")
      ),
      (
        "scopes as words",
        posted("/__/auth/handler", "\(handler)&scopes=\(URLText.escaped(words))")
      ),
      ("form of the action page", posted("/__/auth/action", pairs)),
      ("query", { try await $0.send("GET", "/v1/projects", query: "key=k&\(pairs)") }),
      (
        "update mask",
        { server in
          try await server.send(
            "PATCH", "/v2/projects/demo-shop/config", Array("{}".utf8),
            query: "updateMask=\(server.joined(",") { "signIn.p\($0)" })")
        }
      ),
      (
        "path of an update mask",
        { server in
          try await server.send(
            "PATCH", "/v2/projects/demo-shop/config", Array("{}".utf8),
            query: "updateMask=signIn.\(server.joined(".") { "p\($0)" })")
        }
      ),
      (
        "cookies",
        { server in
          try await server.send(
            "GET", "/__/auth/handler", query: handler,
            headers: ["cookie": server.joined("; ") { "c\($0)=x" }, "authorization": ""])
        }
      ),
      (
        "languages",
        { server in
          try await server.send(
            "POST", "/v1/accounts:sendOobCode",
            Array("{\"requestType\":\"PASSWORD_RESET\",\"email\":\"a@example.com\"}".utf8),
            headers: [
              "accept-language": server.joined(",") { "l\($0)" }, "authorization": "",
            ])
        }
      ),
      ("segments of a path", { try await $0.send("GET", "/" + $0.joined("/") { "s\($0)" }) }),
      (
        "oauthScope",
        post(
          "/v1/accounts:createAuthUri", authURI.merging(["oauthScope": .string(words)]) { $1 })
      ),
      ("postBody", post(idp, ["requestUri": "http://localhost", "postBody": .string(pairs)])),
      ("requestUri", post(idp, ["requestUri": .string("http://localhost/?\(pairs)#\(pairs)")])),
      (
        "claims of a vendor",
        post(
          idp,
          [
            "requestUri": "http://localhost",
            "postBody": .string(
              "providerId=google.com&id_token="
                + URLText.escaped("{\"sub\":\"1\",\"groups\":\(list),\"more\":\(members)}")),
          ], in: .emulator)
      ),
      (
        "claims of an app",
        post(
          "/v1/accounts:signInWithCustomToken",
          ["token": .string("{\"uid\":\"ada\",\"claims\":\(members)}")], in: .emulator)
      ),
      ("an ID token", post("/v1/accounts:lookup", ["idToken": .string(Self.token(members))])),
      (
        "a pending credential",
        post(
          "/v2/accounts/mfaSignIn:start",
          ["mfaPendingCredential": .string(words), "mfaEnrollmentId": .string(words)])
      ),
      (
        "claims of an admin",
        { server in
          try await server.send(
            "POST", "/v1/projects/demo-shop/accounts:update",
            Array(
              JSONValue.object(["localId": "ada", "customAttributes": .string(members)]).text.utf8))
        }
      ),
    ]
  }

  /// A text of as many parts as there are entries.
  private func joined(_ separator: String, _ part: (Int) -> String) -> String {
    (0..<count).map(part).joined(separator: separator)
  }

  /// An unsigned token.
  private static func token(_ payload: String) -> String {
    [#"{"alg":"none","typ":"JWT"}"#, payload].map { Base64.url.text($0.utf8) }
      .joined(separator: ".") + "."
  }
}
