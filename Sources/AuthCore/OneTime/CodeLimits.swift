/// Limits on the codes and links for one recipient, and on wrong guesses at them, in an hour; 0 means no limit.
///
/// Whatever the limits are, a single code is void after ``OneTimeCodes/guesses`` guesses.
public struct CodeLimits: Sendable, Hashable {
  /// The maximum number of codes and links that one network may have sent to one recipient.
  public var codesOfNetwork = 10
  /// The maximum number of codes and links for one recipient, from all networks together.
  public var codes = 30
  /// The maximum number of wrong guesses at one recipient's codes, from one network.
  public var wrongCodesOfNetwork = 20
  /// The maximum number of wrong guesses at one recipient's codes, from all networks together.
  public var wrongCodes = 60
  /// The maximum number of wrong codes for the second factors of one account, and of phones that it begins to enrol.
  public var secondFactorCodes = 10

  /// Makes the default limits.
  public init() {}

  /// No limits at all.
  public static var none: CodeLimits {
    var limits = CodeLimits()
    limits.codesOfNetwork = 0
    limits.codes = 0
    limits.wrongCodesOfNetwork = 0
    limits.wrongCodes = 0
    limits.secondFactorCodes = 0
    return limits
  }
}
