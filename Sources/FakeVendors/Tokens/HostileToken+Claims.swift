import AuthCore

extension HostileToken {
  /// The claims of the hostile token, which are the honest ones if only its signature is at fault.
  func claims(_ honest: [String: JSONValue], now: Timestamp) -> [String: JSONValue] {
    honest.merging(changes(honest, now: now.milliseconds / 1000)) { _, changed in changed }
      .filter { $0.value != .null }
  }

  /// The changed claims; null for a missing one.
  private func changes(_ honest: [String: JSONValue], now: Int64) -> [String: JSONValue] {
    let day: Int64 = 86_400
    return switch self {
    case .wrongIssuer: ["iss": "https://accounts.stranger.example"]
    case .issuerMissing: ["iss": .null]
    case .wrongAudience: ["aud": .string(FakeClient.foreign.id), "azp": .null]
    case .audienceMissing: ["aud": .null, "azp": .null]
    case .audienceEmpty: ["aud": [], "azp": .null]
    case .untrustedAudienceToo:
      [
        "aud": .array([honest["aud"] ?? .null, .string(FakeClient.foreign.id)]),
        "azp": .string(FakeClient.foreign.id),
      ]
    case .expired: ["iat": .integer(now - 2 * day), "exp": .integer(now - day)]
    case .expiryMissing: ["exp": .null]
    case .notYetValid: ["nbf": .integer(now + day), "exp": .integer(now + 2 * day)]
    case .nonceMissing: ["nonce": .null]
    case .nonceWrong: ["nonce": "the-nonce-of-another-sign-in"]
    case .subjectMissing: ["sub": .null]
    case .subjectEmpty: ["sub": ""]
    case .subjectNumeric: ["sub": 12_345]
    // 2^53 + 1, which becomes the subject before it in a double.
    case .subjectBeyondDoublePrecision: ["sub": 9_007_199_254_740_993]
    case .emailVerifiedFalse: ["email_verified": false]
    case .emailVerifiedTextFalse: ["email_verified": "false"]
    case .emailVerifiedNumber: ["email_verified": 1]
    case .emailVerifiedYes: ["email_verified": "yes"]
    case .emailVerifiedAbsent: ["email_verified": .null]
    case .emailIsNone: ["email": "ada at example.com", "email_verified": true]
    case .noEmail: ["email": .null, "email_verified": .null]
    default: [:]
    }
  }
}
