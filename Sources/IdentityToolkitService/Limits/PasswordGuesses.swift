import AuthCore
import IdentityToolkit

/// Counts wrong passwords, by the account that they are for and the network that they come from.
///
/// A guess is admitted before the password is checked, so that many at once are no more than the limit, and counts once the
/// password was wrong. So nobody who knows the password uses anything up, and a stranger closes the own network alone:
/// others go on until the total of all networks is reached. Nothing but passwords is counted here, and no other way in is
/// closed.
struct PasswordGuesses: Sendable {
  private let limiter: RateLimiter
  private let counts: [(name: String, subject: String, limit: Int)]

  private static let seconds: Int64 = 3600

  /// Takes whose password is guessed at, in whatever spelling, and from where.
  init(
    at email: EmailAddress, from address: String?, in scope: Scope, _ limits: RateLimits,
    _ limiter: RateLimiter
  ) {
    self.limiter = limiter
    let account = "\(scope) \(email.canonical)"
    let ofNetwork = "\(RequestLimits.subject(address)) \(account)"
    counts = [
      ("passwords of a network", ofNetwork, limits.attemptsPerAccountAndAddressAndHour),
      ("passwords", account, limits.attemptsPerAccountAndHour),
    ].filter { $0.limit > 0 }
  }

  /// Checks a password; throws `TOO_MANY_ATTEMPTS_TRY_LATER` without it if there were too many wrong ones.
  ///
  /// The password was wrong if the check throws `invalid-credential`.
  func count<Result>(
    at now: Timestamp, _ check: () async throws -> Result
  ) async throws -> Result {
    try open(at: now)
    do {
      let result = try await check()
      close(counts.count, at: now, counting: false)
      return result
    } catch {
      let isWrong = (error as? AuthError)?.code == .invalidCredential
      close(counts.count, at: now, counting: isWrong)
      throw error
    }
  }

  private func open(at now: Timestamp) throws(WireError) {
    for (index, count) in counts.enumerated() {
      do throws(WireError) {
        try limiter.open(
          count.name, of: count.subject, limit: count.limit, seconds: Self.seconds, at: now)
      } catch {
        close(index, at: now, counting: false)
        throw error
      }
    }
  }

  /// Ends the first counts.
  private func close(_ opened: Int, at now: Timestamp, counting: Bool) {
    for count in counts.prefix(opened) {
      limiter.close(
        count.name, of: count.subject, limit: count.limit, seconds: Self.seconds, at: now,
        counts: counting)
    }
  }
}
