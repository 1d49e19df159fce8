import Foundation

/// The tokens of one user, refreshed on request if they soon expire.
///
/// Only one refresh is under way at a time, whatever the number of callers. Tokens set meanwhile, after a sign-in or
/// a link, win: the answer to a refresh of the old ones is dropped.
final class TokenKeeper: Sendable {
  /// The validity in seconds below which a token is refreshed before it is returned.
  static let leastValidity: TimeInterval = 5 * 60

  private let state: Locked<State>
  private let now: @Sendable () -> Date
  private let refresh: @Sendable (_ refreshToken: String) async throws -> TokenPair
  private let didRefresh: @Sendable () throws -> Void

  /// Makes a keeper.
  ///
  /// - Parameters:
  ///   - pair: The initial tokens.
  ///   - now: The clock of their validity.
  ///   - refresh: Requests new tokens. An empty refresh token in the answer keeps the old one.
  ///   - didRefresh: Saves ``pair``. It is called once after each accepted answer, before any caller gets the answer
  ///     and even if all callers have given up. The callers get its error.
  init(
    _ pair: TokenPair, now: @escaping @Sendable () -> Date,
    refresh: @escaping @Sendable (_ refreshToken: String) async throws -> TokenPair,
    didRefresh: @escaping @Sendable () throws -> Void = {}
  ) {
    state = Locked(State(pair: pair))
    self.now = now
    self.refresh = refresh
    self.didRefresh = didRefresh
  }

  var pair: TokenPair { state.withLock { $0.pair } }

  /// The number of callers that wait for the running refresh.
  var waiting: Int { state.withLock { $0.round?.waiters.count ?? 0 } }

  /// Sets other tokens.
  ///
  /// Callers that wait for a refresh of the old ones get these.
  func replace(with pair: TokenPair) {
    let isFresh = isFresh(pair, at: now())
    let (waiters, begun) = state.withLock { state -> ([Waiter], Round?) in
      state.keep(pair)
      guard let round = state.round else { return ([], nil) }
      state.round = nil
      if isFresh { return (Array(round.waiters.values), nil) }
      return ([], state.beginRound(waiters: round.waiters))
    }
    if let begun { start(begun) }
    for waiter in waiters { waiter.resume(returning: pair.idToken) }
  }

  /// Returns a token that is valid for at least five minutes, and true if it differs from the one before the call.
  ///
  /// Throws the errors of the refresh, and `CancellationError` as soon as the calling task is cancelled. The refresh
  /// continues for the others.
  func token(forcingRefresh: Bool) async throws -> (token: String, changed: Bool) {
    let now = now()
    let (before, edition) = state.withLock { ($0.pair, $0.edition) }
    if !forcingRefresh && isFresh(before, at: now) { return (before.idToken, false) }
    try Task.checkCancellation()
    let token = try await token(after: edition, at: now)
    return (token, token != before.idToken)
  }

  /// Returns a token other than one that the server refused.
  ///
  /// Callers whose requests had the same token share one refresh, also if it has ended since. Throws like
  /// ``token(forcingRefresh:)``.
  func token(insteadOf refused: String) async throws -> String {
    let now = now()
    let (pair, edition) = state.withLock { ($0.pair, $0.edition) }
    if pair.idToken != refused && isFresh(pair, at: now) { return pair.idToken }
    try Task.checkCancellation()
    return try await token(after: edition, at: now)
  }

  private func isFresh(_ pair: TokenPair, at now: Date) -> Bool {
    pair.expiresAt.timeIntervalSince(now) > Self.leastValidity
  }
}

// MARK: - Waiting

extension TokenKeeper {
  private typealias Waiter = CheckedContinuation<String, any Error>

  /// A request for new tokens, and the callers that wait for it.
  private struct Round: Sendable {
    let number: UInt64
    let refreshToken: String
    var waiters: [UInt64: Waiter] = [:]
  }

  private struct State: Sendable {
    private(set) var pair: TokenPair
    /// A counter of the stored pairs, by which a caller notices a new one.
    private(set) var edition: UInt64 = 0
    var round: Round?
    private var lastNumber: UInt64 = 0

    init(pair: TokenPair) { self.pair = pair }

    mutating func keep(_ pair: TokenPair) {
      self.pair = pair
      edition += 1
    }

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    mutating func beginRound(waiters: [UInt64: Waiter]) -> Round {
      let round = Round(
        number: nextNumber(), refreshToken: pair.refreshToken, waiters: waiters)
      self.round = round
      return round
    }
  }

  private func token(after edition: UInt64, at now: Date) async throws -> String {
    let number = state.withLock { $0.nextNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        join(waiter, number, after: edition, at: now)
        // A cancellation before this point had no waiter to resume.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func join(_ waiter: Waiter, _ number: UInt64, after edition: UInt64, at now: Date) {
    let (begun, came) = state.withLock { state -> (Round?, String?) in
      // The caller would have waited for the round that has ended since.
      if state.edition != edition && isFresh(state.pair, at: now) && state.round == nil {
        return (nil, state.pair.idToken)
      }
      guard state.round == nil else {
        state.round?.waiters[number] = waiter
        return (nil, nil)
      }
      return (state.beginRound(waiters: [number: waiter]), nil)
    }
    if let begun { start(begun) }
    if let came { waiter.resume(returning: came) }
  }

  private func giveUp(_ number: UInt64) {
    let waiter = state.withLock { $0.round?.waiters.removeValue(forKey: number) }
    waiter?.resume(throwing: CancellationError())
  }
}

// MARK: - Refreshing

extension TokenKeeper {
  /// Runs a round in a task of its own, so that the cancellation of a caller does not end it.
  private func start(_ round: Round) {
    Task { await run(round) }
  }

  private func run(_ round: Round) async {
    do {
      let first = try await refresh(round.refreshToken)
      guard let kept = try take(first, in: round) else { return }
      if isFresh(kept, at: now()) { return finish(round, .success(kept.idToken)) }
      // The server may have returned a token that it had issued earlier.
      let second = try await refresh(kept.refreshToken)
      guard let kept = try take(second, in: round) else { return }
      finish(round, .success(kept.idToken))
    } catch {
      finish(round, .failure(error))
    }
  }

  /// Stores an answer and returns the stored pair; nil if other tokens were set meanwhile.
  private func take(_ answer: TokenPair, in round: Round) throws -> TokenPair? {
    let kept = state.withLock { state -> TokenPair? in
      guard state.round?.number == round.number else { return nil }
      var pair = answer
      if pair.refreshToken.isEmpty { pair.refreshToken = state.pair.refreshToken }
      state.keep(pair)
      return pair
    }
    if kept != nil { try didRefresh() }
    return kept
  }

  private func finish(_ round: Round, _ result: Result<String, any Error>) {
    let waiters = state.withLock { state -> [UInt64: Waiter] in
      guard let current = state.round, current.number == round.number else { return [:] }
      state.round = nil
      return current.waiters
    }
    for waiter in waiters.values { waiter.resume(with: result) }
  }
}
