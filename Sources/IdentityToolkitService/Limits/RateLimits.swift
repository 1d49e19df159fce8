/// How often something may be asked; 0 is without limit.
///
/// Counts of an address are its own and do not become fewer by a sign-in that succeeds. Codes and links that one
/// recipient gets, and guesses at them, are counted in the store: see ``AuthCore/OneTimeCodes``.
public struct RateLimits: Sendable, Hashable {
  /// Requests of one address in a minute, whatever they are.
  public var requestsPerAddressAndMinute = 1200
  /// New accounts from one address in an hour; Firebase's number.
  public var signUpsPerAddressAndHour = 100
  /// Codes and links that one address has sent in an hour.
  public var messagesPerAddressAndHour = 60
  /// Wrong passwords for one e-mail address from one network address in an hour.
  public var attemptsPerAccountAndAddressAndHour = 30
  /// Wrong passwords for one e-mail address from all network addresses together in an hour.
  ///
  /// Beyond it the right password is refused as well, until the hour is over. Resets, links and every other way in stay
  /// open. A stranger gets there from 20 networks and no fewer, with the usual numbers.
  public var attemptsPerAccountAndHour = 600

  public init() {}

  /// No limits at all, as in the emulator.
  public static var none: RateLimits {
    var limits = RateLimits()
    limits.requestsPerAddressAndMinute = 0
    limits.signUpsPerAddressAndHour = 0
    limits.messagesPerAddressAndHour = 0
    limits.attemptsPerAccountAndAddressAndHour = 0
    limits.attemptsPerAccountAndHour = 0
    return limits
  }
}
