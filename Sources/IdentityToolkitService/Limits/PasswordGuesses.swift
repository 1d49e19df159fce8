import AuthCore
import IdentityToolkit

/// Counts wrong passwords, by the account that they are for and the network that they come from.
///
/// A guess is counted before the password is checked, so that many at once are no more than the limit, and given back
/// unless the password was wrong. So nobody who knows the password uses anything up, and a stranger closes the own
/// network alone: others go on until the total of all networks is reached. Nothing but passwords is counted here, and
/// no other way in is closed.
struct PasswordGuesses: Sendable {
  let limits: RateLimits
  let limiter: RateLimiter

  /// One password that is being checked.
  struct Guess: Sendable {
    fileprivate let counted: [(name: String, subject: String)]
    fileprivate let moment: Timestamp
  }

  private static let seconds: Int64 = 3600

  /// Counts a guess; throws `TOO_MANY_ATTEMPTS_TRY_LATER` if there were too many wrong ones.
  func begin(
    at email: EmailAddress, from address: String?, in scope: Scope, at now: Timestamp
  ) throws(WireError) -> Guess {
    // All spellings of an address are one.
    let account = "\(scope) \(email.canonical)"
    let counts = [
      (
        "passwords", "\(RequestLimits.subject(address)) \(account)",
        limits.attemptsPerAccountAndAddressAndHour
      ),
      ("passwords of all", account, limits.attemptsPerAccountAndHour),
    ]
    var counted: [(name: String, subject: String)] = []
    for (name, subject, limit) in counts where limit > 0 {
      do throws(WireError) {
        try limiter.take(name, of: subject, limit: limit, seconds: Self.seconds, at: now)
      } catch {
        giveBack(Guess(counted: counted, moment: now))
        throw error
      }
      counted.append((name, subject))
    }
    return Guess(counted: counted, moment: now)
  }

  /// Takes a guess back: the password was right, or was not looked at.
  func giveBack(_ guess: Guess) {
    for (name, subject) in guess.counted {
      limiter.giveBack(name, of: subject, seconds: Self.seconds, at: guess.moment)
    }
  }
}
