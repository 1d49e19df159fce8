/// How often something may be asked; 0 is without limit.
///
/// Counts of an address are its own and do not become fewer by a sign-in that succeeds.
public struct RateLimits: Sendable, Hashable {
  /// Requests of one address in a minute, whatever they are.
  public var requestsPerAddressAndMinute = 1200
  /// New accounts from one address in an hour; Firebase's number.
  public var signUpsPerAddressAndHour = 100
  /// Codes and links that one address has sent in an hour.
  public var messagesPerAddressAndHour = 60
  /// Sign-ins and guesses for one e-mail address, number or uid in an hour.
  public var attemptsPerAccountAndHour = 120

  public init() {}

  /// No limits at all, as in the emulator.
  public static var none: RateLimits {
    var limits = RateLimits()
    limits.requestsPerAddressAndMinute = 0
    limits.signUpsPerAddressAndHour = 0
    limits.messagesPerAddressAndHour = 0
    limits.attemptsPerAccountAndHour = 0
    return limits
  }
}
