import AuthCore

extension UserRecord {
  /// Makes the second factors.
  ///
  /// The account needs a verified address, because recovery messages go there.
  func secondFactors(
    of account: Account, at door: RecordDoor
  ) throws(RecordFault) -> [SecondFactor] {
    guard !mfaInfo.isEmpty else { return [] }
    let isKept = account.email == nil && hasFactorsWithoutEmail == true
    guard isKept || account.email != nil else {
      throw RecordFault(
        .factorWithoutEmail, "The record has second factors and no e-mail address.",
        code: .unverifiedEmail, field: "mfaInfo",
        remedy: "Give it a verified email, or leave mfaInfo out.")
    }
    guard isKept || account.emailVerified else {
      throw RecordFault(
        .factorOfUnverifiedEmail, "The record has second factors and its address is not verified.",
        code: .unverifiedEmail, field: "mfaInfo",
        remedy: "Give it emailVerified, or leave mfaInfo out.")
    }
    var factors: [SecondFactor] = []
    var ids: Set<String> = []
    for (index, entry) in mfaInfo.enumerated() {
      let id = entry.mfaEnrollmentId ?? EnrollmentName.made(of: localId, index)
      guard ids.insert(id).inserted else {
        throw RecordFault(
          .repeatedFactor,
          "Two second factors have the mfaEnrollmentId \(TextBounds.name.cut(id)).",
          field: "mfaInfo", remedy: "Give each its own, or leave one out.")
      }
      factors.append(try entry.factor(id, of: account, at: door))
    }
    return factors
  }
}

extension UserRecord.FactorEntry {
  fileprivate func factor(
    _ id: String, of account: Account, at door: RecordDoor
  ) throws(RecordFault) -> SecondFactor {
    var factor = SecondFactor(
      id: id, kind: try kind(at: door), displayName: displayName,
      enrolledAt: enrolledAt ?? account.createdAt.text(withMilliseconds: true))
    if case .totp = factor.kind, let text = totpInfo?.sharedSecretKey, let totp = door.totp {
      guard let secret = Self.secret(text) else {
        throw RecordFault(
          .unknownFactor, "The sharedSecretKey of a second factor is not base32.",
          field: "mfaInfo",
          remedy: "Give the secret as authenticator apps take it, or leave it out.")
      }
      do {
        factor.secret = try totp.seal(secret, id)
      } catch {
        throw RecordFault(
          .unknownFactor,
          error as? AuthError
            ?? AuthError(
              .internalError, "The secret of a second factor cannot be sealed.", cause: error))
      }
    }
    return factor
  }

  private func kind(at door: RecordDoor) throws(RecordFault) -> SecondFactor.Kind {
    guard let phoneInfo else {
      guard totpInfo != nil else {
        throw RecordFault(
          .unknownFactor, "A second factor is neither a phone nor TOTP.", field: "mfaInfo",
          remedy: "Give it phoneInfo or totpInfo.")
      }
      return .totp
    }
    do throws(AuthError) { return .phone(try PhoneNumber(normalizing: phoneInfo)) } catch {
      var error = error
      error.field = "mfaInfo"
      throw error.fault(.invalidFactorNumber)
    }
  }

  /// Returns a base32 secret in capitals and without padding; nil if the text is not base32.
  private static func secret(_ text: String) -> String? {
    let letters = text.uppercased().filter { $0 != " " && $0 != "=" }
    return letters.wholeMatch(of: /[A-Z2-7]{16,}/) == nil ? nil : letters
  }
}

/// The ID of a second factor whose record has none: 28 letters and digits, in Firebase's form.
///
/// The ID depends only on the record, so that a repeated import makes one factor. It is not secret.
enum EnrollmentName {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  static func made(of uid: String, _ place: Int) -> String {
    // FNV-1a of the text seeds SplitMix64, which yields one letter a step.
    var state = "\(place) \(uid)".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(
      (0..<28).map { _ in
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return letters[Int((mixed ^ (mixed >> 31)) % UInt64(letters.count))]
      })
  }
}
