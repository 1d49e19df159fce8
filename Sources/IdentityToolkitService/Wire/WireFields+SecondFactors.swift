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
  ) throws(WireError) -> [FactorEntry]? {
    guard let entries = try objects(name) else { return nil }
    var factors: [FactorEntry] = []
    var (numbers, ids): (Set<PhoneNumber>, Set<String>) = ([], [])
    for entry in entries {
      let number = try entry.factorNumber()
      if let number, !numbers.insert(number).inserted { continue }
      let sent = try entry.filled("mfaEnrollmentId")
      guard let id = makesIDs ? RandomText.letters(28) : sent else {
        throw WireError("INVALID_MFA_ENROLLMENT_ID", "mfaEnrollmentId must be defined.")
      }
      guard ids.insert(id).inserted else { throw WireError("DUPLICATE_MFA_ENROLLMENT_ID") }
      factors.append(
        FactorEntry(
          id: id, phoneNumber: number, displayName: try entry.filled("displayName"),
          enrolledAt: try entry.filled("enrolledAt") ?? now.wireText))
    }
    return factors
  }

  /// The number of an enrolment; nil for an authenticator app, which can only stay.
  private func factorNumber() throws(WireError) -> PhoneNumber? {
    guard let text = try filled("phoneInfo"), let number = try? PhoneNumber(normalizing: text)
    else {
      if value("phoneInfo") == nil, value("totpInfo") != nil { return nil }
      throw WireError("INVALID_MFA_PHONE_NUMBER", "Invalid format.")
    }
    return number
  }
}
