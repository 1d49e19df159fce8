extension VerifiedIdentity {
  /// The maximum size of a vendor's stored claims, in bytes.
  private static let maximumClaims = 64 << 10

  /// Limits a provider's answer to the bounds of an account.
  ///
  /// Claims that are too large are dropped whole, because a part of them could mean something else. The claims of a
  /// session were already checked, and stay.
  mutating func bound() {
    profile = profile.bounded()
    if account == nil, claims.size > Self.maximumClaims { claims = .null }
  }

  /// Checks the lengths of the identity's keys, of the account's uid and of the session's claims.
  ///
  /// Throws `invalid-credential`, `invalid-custom-token` or `claims-too-large`.
  func checkBounds() throws(AuthError) {
    try key?.checkBounds(code: .invalidCredential)
    for former in formerKeys { try former.checkBounds(code: .invalidCredential) }
    guard let account else { return }
    try TextBounds.uid.check(
      account.rawValue, KeptText.uid.title, field: "token", code: .invalidCustomToken)
    try TextBounds.claims.check(
      claims.text, KeptText.claims.title, field: "claims", code: .claimsTooLarge)
  }
}

extension JSONValue {
  /// The approximate number of bytes of the value's text.
  var size: Int {
    switch self {
    case .null, .bool, .integer, .number: 8
    case .string(let text): text.utf8.count + 2
    case .array(let elements): elements.reduce(2) { $0 + $1.size + 1 }
    case .object(let members):
      members.reduce(2) { $0 + $1.key.utf8.count + $1.value.size + 4 }
    }
  }
}
