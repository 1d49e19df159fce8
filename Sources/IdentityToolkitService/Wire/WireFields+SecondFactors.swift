import AuthCore
import IdentityToolkit

/// The origin of the IDs of second factors.
enum EnrollmentIDs: Sendable {
  /// Made by the server, even if the request has them.
  case made
  /// Made by the server if the request has none.
  case sentOrMade
  /// Required in the request.
  case sent
}

/// The second factors in a request of an admin or a test.
extension WireFields {
  /// Reads a list of enrollments.
  ///
  /// A repeated number is left out.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - now: the time of enrollment for entries without one.
  ///   - origin: the origin of their IDs.
  /// - Returns: the factors, or nil if the field was not sent.
  /// - Throws: `INVALID_MFA_PHONE_NUMBER`, `INVALID_MFA_ENROLLMENT_ID` or `DUPLICATE_MFA_ENROLLMENT_ID`.
  func secondFactors(
    _ name: String, at now: Timestamp, ids origin: EnrollmentIDs
  ) throws(WireError) -> [FactorEntry]? {
    guard let entries = try objects(name) else { return nil }
    var factors: [FactorEntry] = []
    var (numbers, ids): (Set<PhoneNumber>, Set<String>) = ([], [])
    for entry in entries {
      let number = try entry.factorNumber()
      if let number, !numbers.insert(number).inserted { continue }
      let sent = try entry.filled("mfaEnrollmentId")
      let made = origin == .sent ? nil : RandomText.letters(28)
      guard let id = origin == .made ? made : sent ?? made else {
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

  /// Returns the number of an enrollment, or nil for an authenticator app, which can only stay.
  private func factorNumber() throws(WireError) -> PhoneNumber? {
    guard let text = try filled("phoneInfo"), let number = try? PhoneNumber(normalizing: text)
    else {
      if value("phoneInfo") == nil, value("totpInfo") != nil { return nil }
      throw WireError("INVALID_MFA_PHONE_NUMBER", "Invalid format.")
    }
    return number
  }
}
