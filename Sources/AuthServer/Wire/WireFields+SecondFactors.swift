import AuthCore
import IdentityToolkit

/// The second factors of a request, as an admin or a test sets them.
extension WireFields {
  /// Reads a list of enrolments; a number that came before is left out.
  ///
  /// - Parameters:
  ///   - name: the field.
  ///   - now: when what says nothing of it was enrolled.
  ///   - makesIDs: whether IDs are made although some were sent.
  /// - Returns: the factors; nil where the field was not sent.
  /// - Throws: `INVALID_MFA_PHONE_NUMBER`, `INVALID_MFA_ENROLLMENT_ID` or `DUPLICATE_MFA_ENROLLMENT_ID`.
  func secondFactors(
    _ name: String, at now: Timestamp, makesIDs: Bool
  ) throws(WireError) -> [SecondFactor]? {
    guard let entries = try objects(name) else { return nil }
    var factors: [SecondFactor] = []
    var numbers: Set<PhoneNumber> = []
    var ids: Set<String> = []
    for entry in entries {
      let kind = try entry.factorKind()
      if case .phone(let number) = kind, !numbers.insert(number).inserted { continue }
      let sent = try entry.filled("mfaEnrollmentId")
      guard let id = makesIDs ? RandomID.enrollment() : sent else {
        throw WireError("INVALID_MFA_ENROLLMENT_ID", "mfaEnrollmentId must be defined.")
      }
      guard ids.insert(id).inserted else { throw WireError("DUPLICATE_MFA_ENROLLMENT_ID") }
      factors.append(
        SecondFactor(
          id: id, kind: kind, displayName: try entry.filled("displayName"),
          enrolledAt: try entry.filled("enrolledAt") ?? now.wireText))
    }
    return factors
  }

  private func factorKind() throws(WireError) -> SecondFactor.Kind {
    guard let text = try filled("phoneInfo") else {
      guard value("totpInfo") != nil else {
        throw WireError("INVALID_MFA_PHONE_NUMBER", "Invalid format.")
      }
      // Its secret is unknown here, so nobody could ever show it.
      throw WireError("UNSUPPORTED_SECOND_FACTOR")
    }
    do throws(AuthError) { return .phone(try PhoneNumber(text)) } catch {
      throw WireError("INVALID_MFA_PHONE_NUMBER", "Invalid format.")
    }
  }
}

/// Names that nobody can guess.
enum RandomID {
  /// The ID of a second factor: 28 letters and digits, as Firebase makes them.
  static func enrollment() -> String { text(28) }

  static func text(_ length: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).compactMap { _ in letters.randomElement(using: &generator) })
  }
}
