/// The marks by which an ID token is accepted again from the client that used it.
///
/// Apps sign in with the credential of a refused link, reauthenticate with it, and repeat a request whose answer was
/// lost, as Firebase allows until a token expires. A used token is accepted again from the network that used it first,
/// for ``period`` at least and twice that at most. Everywhere else, and for every other one-time value, the first use
/// is the last one.
struct TokenRepetition: Sendable, Hashable {
  /// The shortest time in seconds within which a used token is accepted again.
  static let period: Int64 = 600

  private let network: String

  /// Names the network of a caller; nil for a caller without one.
  init?(by caller: Caller) {
    guard let network = caller.client.network else { return nil }
    self.network = network
  }

  /// Returns the marks to leave at the first use of a token: for the present period and the next one.
  func marks(of token: OneTimeUse, at now: Timestamp) -> [OneTimeUse] {
    let present = Self.period(of: now)
    return [present, present + 1].map { mark(of: token, in: $0) }
  }

  /// Returns the mark with which a used token is accepted.
  ///
  /// It is one that the first use leaves, so a store that assumes it absent finds out when it writes.
  func mark(of token: OneTimeUse, at now: Timestamp) -> OneTimeUse {
    mark(of: token, in: Self.period(of: now))
  }

  private func mark(of token: OneTimeUse, in period: Int64) -> OneTimeUse {
    // The name has the period because a store may keep a mark beyond its end.
    OneTimeUse(
      "\(token.name):from:\(network):\(period)",
      expiresAt: Timestamp(milliseconds: (period + 1) * Self.period * 1000))
  }

  private static func period(of now: Timestamp) -> Int64 { now.milliseconds / (period * 1000) }
}

extension LinkRequest {
  /// Returns the mark by which the snapshot shows whether a client repeats its own token.
  func repetitionMark(by caller: Caller, at now: Timestamp) -> OneTimeUse? {
    guard let token = uses.first(where: \.isOfToken), let repetition = TokenRepetition(by: caller)
    else { return nil }
    return repetition.mark(of: token, at: now)
  }

  /// Returns the one-time values and marks that the request uses up.
  ///
  /// A repeated request finds its values used, and leaves them: a repetition extends nothing.
  func unused(on context: OperationContext) -> [OneTimeUse] {
    let marks = retryMarks(by: context.caller, at: context.now)
    return unusedOfPending(on: context)
      + marks.filter { !context.snapshot.used.contains($0.name) }
  }

  /// Returns what a request uses up that waits for a second factor.
  func unusedOfPending(on context: OperationContext) -> [OneTimeUse] {
    var left = uses.filter { !context.snapshot.used.contains($0.name) }
    if let token = left.first(where: \.isOfToken),
      let repetition = TokenRepetition(by: context.caller)
    {
      left += repetition.marks(of: token, at: context.now)
    }
    return left
  }
}

extension RuleEvaluation {
  /// Tells whether the used values of a request are one ID token and its nonce, which this client used just now.
  ///
  /// A nonce that was used with another token is not accepted.
  mutating func isRepeated(_ request: LinkRequest) -> Bool {
    let used = request.uses.filter { snapshot.used.contains($0.name) }
    guard used.allSatisfy({ $0.isOfToken || $0.isOfNonce }), used.contains(where: \.isOfToken),
      let mark = request.repetitionMark(by: caller, at: now), snapshot.used.contains(mark.name)
    else { return false }
    trace.note("one-time use", ["what": "ID token"], "repeated by the client that used it")
    return true
  }
}
