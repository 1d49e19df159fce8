import AuthCore
import IdentityToolkitService
import Yams

extension RateLimits {
  /// Reads `rateLimits`: the limits by name, or 0 for none at all.
  ///
  /// Production without any limit gets a warning.
  init(_ top: ConfigurationSection, else usual: RateLimits, isPublic: Bool) {
    self = Self.read(top, else: usual)
    guard isPublic, self == .none else { return }
    let line = top.member("rateLimits")?.mark?.line
    top.source.add(
      ConfigurationFinding(
        severity: .warning, place: top.place(line), line: line, field: "rateLimits",
        message: "rateLimits is off, so passwords and codes may be guessed without end.",
        remedy: "Leave the setting out for the default limits, unless the server is for tests."))
  }

  private static func read(_ top: ConfigurationSection, else usual: RateLimits) -> RateLimits {
    if top.isSingle("rateLimits"), let raw = top.raw("rateLimits") {
      if raw.text == "0" { return .none }
      top.tell("rateLimits", "has to be a list of limits, or 0 for none.", at: raw)
      return usual
    }
    var limits = usual
    top.section("rateLimits") { section in
      for (name, path) in settings {
        if let number = section.number(name, in: 0...1_000_000_000) {
          limits[keyPath: path] = number
        }
      }
    }
    return limits
  }

  /// The limits by the names of their settings.
  private static var settings: [(String, WritableKeyPath<RateLimits, Int>)] {
    [
      ("requestsPerAddressAndMinute", \.requestsPerAddressAndMinute),
      ("signUpsPerAddressAndHour", \.signUpsPerAddressAndHour),
      ("messagesPerAddressAndHour", \.messagesPerAddressAndHour),
      ("attemptsPerAccountAndAddressAndHour", \.attemptsPerAccountAndAddressAndHour),
      ("attemptsPerAccountAndHour", \.attemptsPerAccountAndHour),
      ("codesPerRecipientAndAddressAndHour", \.codes.codesOfNetwork),
      ("codesPerRecipientAndHour", \.codes.codes),
      ("wrongCodesPerRecipientAndAddressAndHour", \.codes.wrongCodesOfNetwork),
      ("wrongCodesPerRecipientAndHour", \.codes.wrongCodes),
      ("secondFactorCodesPerAccountAndHour", \.codes.secondFactorCodes),
    ]
  }
}

extension ConfigurationSection {
  /// Tells whether a setting was given as a single value, and not as a list of settings.
  fileprivate func isSingle(_ name: String) -> Bool {
    source.variable(variable(name)) != nil || member(name)?.scalar != nil
  }
}
