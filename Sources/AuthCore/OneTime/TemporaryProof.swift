/// A short-lived proof that a person has just read the messages of a phone number.
public struct TemporaryProof: Sendable {
  /// The number that it proves.
  public let number: PhoneNumber
  /// The text that a client presents.
  public let text: Secret<String>

  /// The lifetime in seconds.
  public static let lifetime: Int64 = 3600

  static let purpose = "temporary-proof"
}

extension OneTimeCodes {
  /// Checks a temporary proof, and returns the number and the use to commit.
  ///
  /// A proof works once, or repeatedly if the emulator expires nothing. Throws `invalid-verification-code` for a proof
  /// that is unknown, used, expired or for another number.
  public func check(
    temporaryProof text: String, for number: PhoneNumber
  ) async throws -> (number: PhoneNumber, uses: [OneTimeUse]) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw AuthError.invalidTemporaryProof }
    let checked: Checked
    do {
      checked = try await check(TemporaryProof.purpose, id: parts[0], code: parts[1])
    } catch let error as AuthError {
      let isUnknown = [.invalidVerificationID, .codeExpired].contains(error.code)
      throw isUnknown ? AuthError.invalidTemporaryProof.failing("It is unknown or over.") : error
    }
    guard checked.subject == number.text else {
      throw AuthError.invalidTemporaryProof.failing("It was made for another number.")
    }
    return (number, quirks.uses([checked.use]))
  }
}

extension AuthError {
  fileprivate static let invalidTemporaryProof = AuthError(
    .invalidVerificationCode, "The proof is expired, used or of another number.",
    field: "temporaryProof",
    remedy: "Ask for a new code.", step: .credential)
}
