extension HostileToken {
  /// The name on a command line or in a script.
  public var name: String {
    switch self {
    case .wrongIssuer: "wrong-issuer"
    case .issuerMissing: "issuer-missing"
    case .wrongAudience: "wrong-audience"
    case .audienceMissing: "audience-missing"
    case .audienceEmpty: "audience-empty"
    case .untrustedAudienceToo: "untrusted-audience-too"
    case .expired: "expired"
    case .expiryMissing: "expiry-missing"
    case .notYetValid: "not-yet-valid"
    case .nonceMissing: "nonce-missing"
    case .nonceWrong: "nonce-wrong"
    case .subjectMissing: "subject-missing"
    case .subjectEmpty: "subject-empty"
    case .subjectNumeric: "subject-numeric"
    case .subjectBeyondDoublePrecision: "subject-beyond-double"
    case .emailVerifiedFalse: "email-verified-false"
    case .emailVerifiedTextFalse: "email-verified-text-false"
    case .emailVerifiedNumber: "email-verified-number"
    case .emailVerifiedYes: "email-verified-yes"
    case .emailVerifiedAbsent: "email-verified-absent"
    case .emailIsNone: "email-is-none"
    case .noEmail: "no-email"
    case .algorithmNone: "algorithm-none"
    case .algorithmNoneOddCase: "algorithm-none-odd-case"
    case .hs256WithPublicKey: "hs256-with-public-key"
    case .hs256WithKeyNumber: "hs256-with-key-number"
    case .emptySignature: "empty-signature"
    case .corruptedSignature: "corrupted-signature"
    case .tamperedPayload: "tampered-payload"
    case .foreignSignature: "foreign-signature"
    case .unknownKeyID: "unknown-key-id"
    case .keyIDTraversal: "key-id-traversal"
    case .duplicateKeyID: "duplicate-key-id"
    case .keyOfAnotherType: "key-of-another-type"
    case .jkuHeader: "jku-header"
    case .x5uHeader: "x5u-header"
    case .jwkHeader: "jwk-header"
    case .critHeader: "crit-header"
    case .notThreeParts: "not-three-parts"
    case .notAToken: "not-a-token"
    }
  }
}

extension HostileTransport {
  /// The name on a command line or in a script, such as `redirects-to-another-host`.
  public var name: String { rawValue.lowercased().replacing(" ", with: "-") }
}
