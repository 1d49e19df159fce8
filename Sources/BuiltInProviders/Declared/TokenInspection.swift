import AuthCore

/// A vendor's endpoint that describes an access token, and the members of its answer.
///
/// A userinfo endpoint accepts any app's token, so the token itself is inspected first.
struct TokenInspection: Sendable {
  let request: RequestTemplate
  /// The name of the endpoint in the settings.
  let endpoint: String
  /// The member that holds the answer; nil for the answer itself.
  var envelope: String?
  /// The members that name the client: the first is required, and each has to be ours.
  ///
  /// A token that our app requested for another server is known to that server.
  let clients: [String]
  let subject: String
  /// The member that has to be true.
  var validity: String?
  /// The member that names the kind of a token, and the kind of a person's.
  var kind: (member: String, person: String)?
  /// The member with the seconds that are left; it is required.
  var secondsLeft: String?
  /// The member with the time of expiry; zero means never.
  var expiry: String?
  /// True if identifiers may be whole numbers.
  var hasNumbers = false
  /// The values of names in the request that are no settings.
  var values: @Sendable (any ProviderSession) throws -> [String: String] = { _ in [:] }

  /// The check with the client IDs that are ours.
  func check(
    _ ours: @escaping @Sendable (any ProviderSession) throws -> [String]
  ) -> AppCheck {
    AppCheck { token, session in
      let ours = try ours(session)
      let answer = try await session.ask(
        request, at: endpoint, with: token, filling: try values(session), step: .token)
      let info = envelope.map { answer[$0] } ?? answer
      guard let info else { throw refusal("The vendor does not know the access token.", nil) }
      for (index, member) in clients.enumerated()
      where index == 0 || (info[member] ?? .null) != .null {
        guard let client = identifier(info[member]), ours.contains(where: client.isExactly) else {
          throw refusal("The access token was issued to another app.", member)
        }
      }
      if let validity, info[validity] != .bool(true) {
        throw refusal("The access token is not valid any more.", validity)
      }
      if let kind, let named = info[kind.member]?.stringValue, named != kind.person {
        throw refusal("The access token is not a person's.", kind.member)
      }
      try checkTime(info, now: session.now)
      guard let subject = identifier(info[subject]) else {
        throw refusal("The access token does not tell who it belongs to.", self.subject)
      }
      return subject
    }
  }

  private func checkTime(_ info: JSONValue, now: Timestamp) throws(AuthError) {
    if let secondsLeft, (Self.number(info[secondsLeft]) ?? 0) <= 0 {
      throw refusal("The access token has expired.", secondsLeft)
    }
    guard let expiry, let value = info[expiry], value != .null, Self.number(value) != 0 else {
      return
    }
    guard let end = NumericDate(Self.number(value).map(JSONValue.integer) ?? value), now < end.floor
    else { throw refusal("The access token has expired.", expiry) }
  }

  /// A whole number, which some vendors write as text.
  private static func number(_ value: JSONValue?) -> Int64? {
    switch value {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }

  private func identifier(_ value: JSONValue?) -> String? {
    hasNumbers ? value?.identifier : value?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func refusal(_ message: String, _ field: String?) -> AuthError {
    AuthError(
      .invalidCredential, message, field: field, remedy: "Sign in with the provider again.",
      step: .token)
  }
}

extension JSONValue {
  /// An identifier that is a text, or a whole number with all of its digits; nil for any other value.
  var identifier: String? {
    switch self {
    case .string(let text) where !text.isEmpty: text
    case .integer(let number) where number > 0: String(number)
    default: nil
    }
  }
}
