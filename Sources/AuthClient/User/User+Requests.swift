/// Requests that an ID token authorises.
extension User {
  /// Sends a request with the session's ID token, and takes its answer.
  ///
  /// A token that the server refuses is refreshed by force once, and the request is sent again. The session ends only if
  /// the refresh token is refused too, or if the account is disabled or gone. `take` stores the tokens of the answer; it
  /// runs once.
  @discardableResult
  func withToken<Answer>(
    _ send: (_ idToken: String) async throws -> Answer,
    taking take: (Answer) throws -> Void = { _ in }
  ) async throws -> Answer {
    let token = try await getIDToken()
    do {
      return try await attempt(token, send, take)
    } catch {
      guard let code = AuthErrorCode(error), code.concernsSession else { throw error }
      // Another call that invalidated the old tokens may be about to bring new ones.
      if rawToken == token { await calls.settle() }
      guard code.refusesToken else {
        if rawToken == token { auth.end(self) }
        throw error
      }
      return try await attempt(try await newToken(insteadOf: token), send, take)
    }
  }

  /// Sends a request that two sessions authorise, and takes its answer.
  ///
  /// If one of the tokens is refused, both are refreshed by force, because the other one may be as old. The request is sent
  /// again once.
  @discardableResult
  static func withTokens<Answer>(
    of first: User, and second: User,
    _ send: (_ first: String, _ second: String) async throws -> Answer
  ) async throws -> Answer {
    let (one, two) = (try await first.getIDToken(), try await second.getIDToken())
    do {
      return try await first.counted { try await second.counted { try await send(one, two) } }
    } catch {
      guard AuthErrorCode(error)?.refusesToken == true else { throw error }
      for (user, token) in [(first, one), (second, two)] where user.rawToken == token {
        await user.calls.settle()
      }
      let newOne = try await first.newToken(insteadOf: one)
      let newTwo = first === second ? newOne : try await second.newToken(insteadOf: two)
      return try await first.counted { try await second.counted { try await send(newOne, newTwo) } }
    }
  }

  /// Runs a refresh, and signs out if the refresh token is refused, unless another one came meanwhile.
  func endingSession<Value>(_ refresh: () async throws -> Value) async throws -> Value {
    let before = tokens.pair.refreshToken
    do {
      return try await refresh()
    } catch {
      if tokens.pair.refreshToken == before, AuthErrorCode(error)?.concernsSession == true {
        auth.end(self)
      }
      throw error
    }
  }

  /// Returns a token other than the refused one, which a simultaneous call may have brought.
  private func newToken(insteadOf refused: String) async throws -> String {
    try await endingSession { try await tokens.token(insteadOf: refused) }
  }

  private func attempt<Answer>(
    _ token: String, _ send: (String) async throws -> Answer, _ take: (Answer) throws -> Void
  ) async throws -> Answer {
    try await counted {
      let answer = try await send(token)
      try take(answer)
      return answer
    }
  }

  /// Counts work among the calls that may bring new tokens.
  private func counted<Value>(_ work: () async throws -> Value) async throws -> Value {
    let call = calls.begin()
    defer { calls.end(call) }
    return try await work()
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
