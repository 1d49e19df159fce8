/// Requests that an ID token authorises.
extension User {
  /// Sends a request with the session's ID token.
  ///
  /// A token that the server refuses is refreshed by force once, and the request is sent again. The session ends only if
  /// the refresh token is refused too, or if the account is disabled or gone.
  @discardableResult
  func withToken<Answer>(
    _ send: (_ idToken: String) async throws -> Answer
  ) async throws -> Answer {
    try await self.send(for: .reading, send)
  }

  /// Sends a request whose answer may bring new tokens, like ``withToken(_:)``, and returns what was made of its answer.
  ///
  /// Such requests are sent one after the other: each may end the tokens of the one before, and only the server's last
  /// ones are valid. `take` stores the tokens of the answer before anything else; it runs once, in the same turn.
  @discardableResult
  func changingTokens<Answer: Sendable, Value: Sendable>(
    _ send: @escaping @Sendable (_ idToken: String) async throws -> Answer,
    taking take: @escaping @Sendable (Answer) async throws -> Value
  ) async throws -> Value {
    try await inTurn { try await take(try await self.send(for: .changing, send)) }
  }

  /// Runs work that may bring new tokens when its turn has come, and to its end: a cancelled caller does not lose them.
  func inTurn<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await UnbrokenWork.run { begin in
      try await self.changes.pass {
        try begin()
        return try await work()
      }
    }
  }

  /// Requests the account's record; `kind` says whether that is part of a change.
  func lookup(for kind: RequestKind) async throws -> AccountRecord {
    try await send(for: kind) { try await auth.toolkit.lookup($0) }
  }

  /// Sends a request that two sessions authorise, and takes its answer, which may bring new tokens of either.
  ///
  /// If one of the tokens is refused, both are refreshed by force, because the other one may be as old. The request is sent
  /// again once.
  @discardableResult
  static func changingTokens<Answer: Sendable, Value: Sendable>(
    of first: User, and second: User,
    _ send: @escaping @Sendable (_ first: String, _ second: String) async throws -> Answer,
    taking take: @escaping @Sendable (Answer) async throws -> Value
  ) async throws -> Value {
    try await inTurn(of: first, and: second) {
      try await take(try await self.send(for: first, and: second, send))
    }
  }

  /// Returns a token that is valid for at least five minutes.
  ///
  /// If the refresh token is refused, one that came meanwhile is used instead; if none came, the user is signed out.
  func token(forcingRefresh: Bool, for kind: RequestKind = .reading) async throws -> String {
    try await endingSession(for: kind) {
      try await tokens.token(forcingRefresh: forcingRefresh).token
    }
  }

  /// The kind of a request: one that may bring new tokens, in its turn, or one that waits for those if it is refused.
  enum RequestKind {
    case reading
    case changing
  }
}

// MARK: - Sending

extension User {
  private func send<Answer>(
    for kind: RequestKind, _ send: (_ idToken: String) async throws -> Answer
  ) async throws -> Answer {
    let token = try await token(forcingRefresh: false, for: kind)
    do {
      return try await send(token)
    } catch {
      guard let code = AuthErrorCode(error), code.concernsSession else { throw error }
      if rawToken == token { try await awaitChanges(for: kind) }
      guard code.refusesToken else {
        if rawToken == token { auth.end(self) }
        throw error
      }
      return try await send(try await newToken(insteadOf: token, for: kind))
    }
  }

  private static func send<Answer>(
    for first: User, and second: User, _ send: (String, String) async throws -> Answer
  ) async throws -> Answer {
    let one = try await first.token(forcingRefresh: false, for: .changing)
    let two =
      first === second ? one : try await second.token(forcingRefresh: false, for: .changing)
    do {
      return try await send(one, two)
    } catch {
      guard AuthErrorCode(error)?.refusesToken == true else { throw error }
      let newOne = try await first.newToken(insteadOf: one, for: .changing)
      let newTwo =
        first === second ? newOne : try await second.newToken(insteadOf: two, for: .changing)
      return try await send(newOne, newTwo)
    }
  }

  /// Runs work in the turn of both users, which are entered in a fixed order, so that two such calls cannot wait for
  /// each other.
  private static func inTurn<Value: Sendable>(
    of first: User, and second: User, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard first !== second else { return try await first.inTurn(work) }
    let isOrdered = ObjectIdentifier(first) < ObjectIdentifier(second)
    let (outer, inner) = isOrdered ? (first, second) : (second, first)
    return try await UnbrokenWork.run { begin in
      try await outer.changes.pass {
        try await inner.changes.pass {
          try begin()
          return try await work()
        }
      }
    }
  }

  /// Waits for the requests that may have ended the old tokens and bring new ones.
  private func awaitChanges(for kind: RequestKind) async throws {
    if kind == .reading { try await changes.pass {} }
  }

  /// Runs a refresh, and signs out if the refresh token is refused.
  ///
  /// If another one came meanwhile, the refresh is run again with it instead.
  private func endingSession<Value>(
    for kind: RequestKind, _ refresh: () async throws -> Value
  ) async throws -> Value {
    while true {
      let before = tokens.pair.refreshToken
      do {
        return try await refresh()
      } catch {
        guard AuthErrorCode(error)?.concernsSession == true else { throw error }
        if tokens.pair.refreshToken == before { try await awaitChanges(for: kind) }
        guard tokens.pair.refreshToken == before else { continue }
        auth.end(self)
        throw error
      }
    }
  }

  /// Returns a token other than the refused one, which a simultaneous call may have brought.
  private func newToken(insteadOf refused: String, for kind: RequestKind) async throws -> String {
    try await endingSession(for: kind) { try await tokens.token(insteadOf: refused) }
  }
}

extension AuthErrorCode {
  /// True if the server does not accept an ID token or a refresh token, or the account of it.
  fileprivate var concernsSession: Bool {
    refusesToken || self == .userNotFound || self == .userDisabled
  }

  /// True if the server does not accept a token, because of its age or because the session ended.
  fileprivate var refusesToken: Bool { self == .userTokenExpired || self == .invalidUserToken }
}
