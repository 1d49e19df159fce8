public import AuthCore

/// Bounds on the number of requests; 0 means no limit.
///
/// Counts of an address belong to it alone, and a successful sign-in does not reduce them.
public struct RateLimits: Sendable, Hashable {
  /// Requests of any kind from one address in a minute.
  public var requestsPerAddressAndMinute = 1200
  /// New accounts from one address in an hour; the default is Firebase's.
  public var signUpsPerAddressAndHour = 100
  /// Codes and links sent for one address in an hour.
  public var messagesPerAddressAndHour = 60
  /// Wrong passwords for one e-mail address from one network address in an hour.
  public var attemptsPerAccountAndAddressAndHour = 30
  /// Wrong passwords for one e-mail address from all network addresses together in an hour.
  ///
  /// Beyond it the right password is refused as well, until the hour is over. Resets, links and every other provider
  /// stay open. With the default numbers an attacker needs at least 20 networks to reach it.
  public var attemptsPerAccountAndHour = 600
  /// Codes and links for one recipient and wrong guesses at them, which are counted in the store.
  public var codes = CodeLimits()

  /// Makes the default limits.
  public init() {}

  /// No limits at all, as in the emulator.
  public static var none: RateLimits {
    var limits = RateLimits()
    limits.requestsPerAddressAndMinute = 0
    limits.signUpsPerAddressAndHour = 0
    limits.messagesPerAddressAndHour = 0
    limits.attemptsPerAccountAndAddressAndHour = 0
    limits.attemptsPerAccountAndHour = 0
    limits.codes = .none
    return limits
  }
}
