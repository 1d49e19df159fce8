extension VerifiedIdentity {
  /// How many bytes of a vendor's claims are kept: nobody needs more of a person.
  private static let maximumClaims = 64 << 10

  /// Keeps of what a provider says what an account may have.
  ///
  /// Claims beyond their size are left out whole, since a part of them would say something else. Those of a session
  /// were checked, and stay.
  mutating func bound() {
    profile = profile.bounded()
    if account == nil, claims.size > Self.maximumClaims { claims = .null }
  }

  /// Checks what names the person: who it is, and where, and what a credential says of the session itself.
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
  /// About how many bytes its text has.
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
