import AuthCore
import IdentityToolkit

/// Counts wrong passwords, by the account that they are for and the network that they come from.
///
/// A guess is admitted before the password is checked, so that concurrent guesses cannot exceed the limit. It counts
/// only if the password was wrong, so the account's owner uses nothing up. An attacker blocks only their own network,
/// until the total of all networks is reached. Only passwords are counted; every other provider stays open.
struct PasswordGuesses: Sendable {
  private let limiter: RateLimiter
  private let counts: [(name: String, subject: String, limit: Int)]

  private static let seconds: Int64 = 3600

  /// Makes the counts of an account, in whatever spelling of its address, and of a network.
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

  /// Checks a password, or throws `TOO_MANY_ATTEMPTS_TRY_LATER` after too many wrong ones, without a check.
  ///
  /// The password counts as wrong if the check throws `invalid-credential`.
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

  /// Closes the first `opened` counts.
  private func close(_ opened: Int, at now: Timestamp, counting: Bool) {
    for count in counts.prefix(opened) {
      limiter.close(
        count.name, of: count.subject, limit: count.limit, seconds: Self.seconds, at: now,
        counts: counting)
    }
  }
}
