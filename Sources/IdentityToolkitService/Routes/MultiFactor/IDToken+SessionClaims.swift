import AuthCore
import SessionTokens

extension IDToken {
  /// Returns the claims of the session itself, or null if there are none.
  ///
  /// A signed token lists them. Those of an unsigned token are the claims that neither the protocol nor the account
  /// gave.
  func sessionClaims(beside account: Account) -> JSONValue {
    guard case .object(var members) = claims else { return .null }
    if let sessionClaimNames {
      members = members.filter { sessionClaimNames.contains($0.key) }
      return members.isEmpty ? .null : .object(members)
    }
    for name in Self.protocolClaims { members[name] = nil }
    for (name, value) in account.customClaims?.members ?? [:] where members[name] == value {
      members[name] = nil
    }
    let profile = ["name": account.displayName, "picture": account.photoURL]
    for (name, text) in profile where members[name] == text.map(JSONValue.string) {
      members[name] = nil
    }
    return members.isEmpty ? .null : .object(members)
  }

  private static let protocolClaims = [
    "iss", "aud", "sub", "iat", "exp", "auth_time", "auth_time_ms", "firebase", "user_id", "email",
    "email_verified", "phone_number", "provider_id",
  ]
}
