/// The stored data of an unfinished enrolment.
struct OpenEnrollment: Codable {
  let account: AccountID
  let factorID: String
  /// The number of a phone.
  var phoneNumber: PhoneNumber?
  /// The base32 secret of an authenticator app.
  var secret: String?

  static func purpose(_ session: String) -> String { "enrollment \(session)" }
}

extension AccountGraph {
  /// The maximum number of codes that may be tried for one enrolment.
  private static let enrollmentGuesses = 5

  /// Returns an open enrolment, and counts the attempt.
  func openEnrollment(
    _ session: String, by caller: Caller
  ) async throws -> OpenEnrollment {
    let now = clock()
    let guesses = services.quirks.limit(Self.enrollmentGuesses) ?? .max
    let record = try await store.write { writer -> OneTimeRecord? in
      let used = OneTimeUse("enrollment:\(session)", expiresAt: now)
      guard var record = try writer.oneTimeRecord(session, in: caller.scope),
        record.kind == .enrollment, record.expiresAt > now,
        record.attempts < guesses,
        try writer.oneTimeRecord(used.recordID, in: caller.scope) == nil
      else { return nil }
      record.attempts += 1
      try writer.save(record, in: caller.scope)
      return record
    }
    guard let record else { throw AuthError.enrollmentOver }
    return try JSONText.decode(
      OpenEnrollment.self,
      try services.quietSecrets.open(record.content, for: OpenEnrollment.purpose(session)))
  }

  /// Checks the first code, which proves that the person has the factor, and returns the factor in stored form.
  func checkFirstCode(
    _ code: Secret<String>, of open: OpenEnrollment, _ enrollment: SecondFactorEnrollment,
    in scope: Scope
  ) async throws -> (SecondFactor.Kind, String?) {
    if let number = open.phoneNumber {
      let checked = try await codes(in: scope).check(
        OpenEnrollment.purpose(enrollment.session), id: enrollment.verificationID ?? "",
        code: code.reveal())
      try await use(checked.use, in: scope)
      return (.phone(number), nil)
    }
    guard let secret = open.secret.map(Secret.init) else {
      throw AuthError.enrollmentOver
    }
    try await use(
      try await totpUse(code, secret, name: open.factorID, in: scope), in: scope)
    let purpose = Self.totpPurpose(open.factorID, scope)
    return (.totp, try services.quietSecrets.seal(secret.reveal(), for: purpose))
  }
}
