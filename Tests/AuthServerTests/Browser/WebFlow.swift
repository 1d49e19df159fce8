import AuthCore
import FakeVendors
import Foundation
import Testing

@testable import IdentityToolkitService

extension Browser {
  /// Opens the page on which Firebase's JavaScript SDK begins an operation.
  func open(
    _ operation: WebSignIn.Operation, _ provider: ProviderID = .google,
    _ further: [String: String] = [:]
  ) async throws -> Reply {
    var query = [
      "authType": operation.rawValue, "appName": "[DEFAULT]", "eventId": "event-7", "v": "12.0.0",
      "redirectUrl": "https://app.example/cart?item=1#top",
    ]
    query.merge(further) { $1 }
    return try await begin(provider, query)
  }

  /// Signs a person in at the vendor, and returns the data of the page on which the sign-in ends.
  func end(
    _ begun: Reply, _ provider: ProviderID = .google, as person: FakePerson = .ada,
    consenting: Bool = true, _ change: (inout [String: String]) -> Void = { _ in }
  ) async throws -> JSONValue {
    let back = try await comeBack(
      from: begun, provider, as: person, consenting: consenting, change)
    #expect(back.status == 200, "\(back.text)")
    #expect(back.headers["location"] == nil)
    return try #require(back.pageData, "no data in \(back.text)")
  }
}

extension Reply {
  /// The data that a page has for its script.
  var pageData: JSONValue? {
    let opening = #"<script type="application/json" id="values">"#
    guard let start = text.range(of: opening),
      let end = text.range(of: "</script>", range: start.upperBound..<text.endIndex)
    else { return nil }
    return try? JSONValue(text: String(text[start.upperBound..<end.lowerBound]))
  }
}

extension Federation {
  /// Signs in or links with an event, as the SDK does.
  func use(
    _ event: JSONValue?, idToken: String? = nil, key: String = "test-key",
    _ further: [String: JSONValue] = [:]
  ) async throws -> Reply {
    var body: [String: JSONValue] = [
      "requestUri": event?["urlResponse"] ?? .null, "sessionId": event?["sessionId"] ?? .null,
      "returnSecureToken": true, "returnIdpCredential": true,
    ]
    if case .string(let tenant)? = event?["tenantId"] { body["tenantId"] = .string(tenant) }
    body["idToken"] = idToken.map(JSONValue.string)
    body.merge(further) { $1 }
    return try await server.call("POST", "/v1/accounts:signInWithIdp?key=\(key)", .object(body))
  }
}
