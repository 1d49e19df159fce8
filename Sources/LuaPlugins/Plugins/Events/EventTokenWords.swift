import AuthCore
import BuiltInProviders
import LuaRuntime

/// The functions `jwt.event` and `jwt.events`, for tokens that report events (RFC 8417).
enum EventTokenWords {
  static func add(to jwt: inout LuaLibrary, _ box: SessionBox) {
    jwt.asyncFunction("event") { arguments in
      let session = try box.required("jwt.event")
      return [
        try await session.failing {
          try await token(arguments, session, in: "jwt.event").token.claims.luaWithoutNulls
        }
      ]
    }
    jwt.asyncFunction("events") { arguments in
      let session = try box.required("jwt.events")
      return [try await session.failing { try await events(arguments, session) }]
    }
  }

  /// `jwt.event(name, token)`, by a declaration in `tokens` and no other.
  private static func token(
    _ arguments: [LuaValue], _ session: PluginSession, in word: String
  ) async throws -> (token: EventToken, declaration: EventTokenDeclaration) {
    let tokens = session.declaration.tokens
    let name = arguments.first?.stringValue ?? ""
    guard let template = tokens[name] else {
      throw LuaArgumentError(
        "\(word): tokens declares no \"\(name)\"; "
          + suggestion(for: name, among: tokens.keys.sorted()))
    }
    guard arguments.count == 2 else { throw LuaArgumentError("\(word) takes a name and a token") }
    let text = try RequestText.sent(arguments[1], of: "the token")
    var declaration = EventTokenDeclaration(like: try template.declaration(session, of: text))
    declaration.types.insert("logout+jwt")
    let token = try await SecurityEventVerifier(keys: session.host.keys).verify(
      text, by: declaration, now: session.now)
    return (token, declaration)
  }

  /// `jwt.events(name, token)`: the events of RISC, CAEP and back-channel logout, as `events` returns them.
  private static func events(
    _ arguments: [LuaValue], _ session: PluginSession
  ) async throws -> LuaValue {
    let (token, declaration) = try await token(arguments, session, in: "jwt.events")
    let signals = SharedSignals(
      issuers: declaration.tokens.issuers,
      usualIssuers: declaration.tokens.issuers.count == 1 ? Set(declaration.tokens.issuers) : [])
    return .table(LuaTable(array: try signals.events(of: token).map { .table($0.lua) }))
  }
}

extension ProviderEvent {
  fileprivate var lua: LuaTable {
    var table = LuaTable()
    table["kind"] = .string(kind.rawValue)
    table["subject"] = .string(subject)
    table["issuer"] = issuer.isEmpty ? .nil : .string(issuer)
    table["at"] = at.map { .integer($0.milliseconds) } ?? .nil
    table["id"] = .string(id)
    table["reason"] = .optional(reason)
    return table
  }
}
