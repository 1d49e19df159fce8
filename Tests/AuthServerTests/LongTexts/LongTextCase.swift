import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

/// A text that an interface accepts and stores, and the result for one that is too long.
struct LongTextCase: Sendable {
  typealias Send = @Sendable (ServerHome, String) async throws -> Reply

  /// The interface and the field, such as "admin: displayName".
  let name: String
  let modes: [ServerMode]
  /// The beginning of the refusal's message; nil if the text is cut and the request succeeds.
  let refusal: String?
  let send: Send

  init(
    _ name: String, _ refusal: String?, in modes: [ServerMode] = ServerMode.allCases,
    send: @escaping Send
  ) {
    (self.name, self.refusal, self.modes, self.send) = (name, refusal, modes, send)
  }

  /// A text of one character that a person would count as one.
  static let bomb = "e" + String(repeating: "\u{301}", count: 12_000)

  /// The table: each stored text, by each interface that accepts it.
  static let all = clients + vendors + customTokens + records + uploads + settings + scripts
}

extension ServerHome {
  /// Signs in with a credential of a fake vendor.
  func vendorSignIn(_ claims: [String: JSONValue], _ more: [String: JSONValue] = [:]) async throws
    -> Reply
  {
    let field = mode == .emulator ? "id_token" : "emulated"
    let text = URLText.escaped(JSONValue.object(claims).text)
    var body = more
    body["requestUri"] = "http://localhost"
    body["postBody"] = .string("\(field)=\(text)&providerId=google.com")
    return try await post("/v1/accounts:signInWithIdp", .object(body))
  }

  /// Returns the length of the longest text in the store in bytes: of accounts, events, settings and one-time
  /// records.
  func longestText() async throws -> Int {
    let scope = scope
    let kept = try await graph.store.read { reader in
      let accounts = try reader.accounts(
        matching: AccountFilter(), after: nil, limit: 1000, in: scope)
      let events = try reader.events(about: nil, before: nil, limit: 1000, in: scope)
      let settings = try reader.settings(of: scope)
      let encoder = JSONEncoder()
      return [
        try encoder.encode(accounts), try encoder.encode(events), try encoder.encode(settings),
      ]
    }
    return try kept.map { data in
      try JSONValue(text: String(decoding: data, as: UTF8.self)).longest
    }.max() ?? 0
  }
}

extension JSONValue {
  /// The length of its longest text in bytes.
  var longest: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .array(let elements): elements.map(\.longest).max() ?? 0
    case .object(let members): members.map { max($0.key.utf8.count, $0.value.longest) }.max() ?? 0
    case .null, .bool, .integer, .number: 0
    }
  }
}
