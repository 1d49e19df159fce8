import AuthCore

/// Phone numbers with a code that an admin chose and without messages, for tests of an app and for its review.
///
/// No message is sent, so the number of challenges has no limit, and a right code uses nothing up. Such a code is as
/// long as a sent one but never changes. To keep guessing hard, wrong codes are counted for the number, as those of
/// other numbers are. Each challenge is a one-time code of its own, which ends with its lifetime, its use or too many
/// guesses.
struct TestNumbers {
  private let settings: ProviderSettings

  init(_ settings: ProviderSettings) {
    self.settings = settings
  }

  /// A challenge of a test number: the ID of a one-time code and that code itself.
  ///
  /// Both together prove nothing without the number's own code.
  struct Challenge {
    let id: String
    let code: String

    /// Reads a verification ID; nil if it belongs to a code that was sent.
    init?(_ verificationID: String) {
      let parts = verificationID.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "test" else { return nil }
      (id, code) = (String(parts[1]), String(parts[2]))
    }
  }

  /// The code of a number; nil if it is not a test number; throws `operation-not-allowed` if the code is malformed.
  func code(of number: PhoneNumber) throws(AuthError) -> String? {
    guard let code = settings.text(number.text, of: "testNumbers") else { return nil }
    guard code.utf8.count == 6, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw AuthError(
        .operationNotAllowed, "The code of a test number has not six digits.",
        field: "testNumbers",
        remedy: "Set it with providers.configure(\"phone\", { testNumbers = … }).",
        step: .credential)
    }
    return code
  }

  static func issue(
    _ codes: OneTimeCodes, for number: PhoneNumber, _ account: AccountID?, lifetime: Int64
  ) async throws -> AuthCore.Challenge {
    let issued = try await codes.issue(
      purpose, for: number.text, account: account, .letters, isCounted: false, lifetime: lifetime)
    return AuthCore.Challenge(
      verificationID: "test.\(issued.id).\(issued.code.reveal())", expiresAt: issued.expiresAt)
  }

  /// Checks a challenge, and then the number's code.
  func check(
    _ challenge: Challenge, code: String, _ codes: OneTimeCodes
  ) async throws -> OneTimeCodes.Checked {
    let checked = try await codes.check(Self.purpose, id: challenge.id, code: challenge.code)
    // A number that is no longer a test number has no right code.
    let right = try self.code(of: try PhoneNumber(checked.subject))
    try await codes.compare(code, toFixed: right, of: checked)
    return checked
  }

  private static let purpose = "phone-test-number"
}
