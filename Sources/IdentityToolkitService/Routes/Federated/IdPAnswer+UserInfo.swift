import AuthCore

extension IdPAnswer {
  /// Returns what the provider said about the person.
  ///
  /// Google's older names stand beside those of its ID tokens, because web apps read `id` and `verified_email`.
  static func userInfo(_ claims: JSONValue, _ provider: ProviderID) -> String {
    guard case .object(var members) = claims else { return "{}" }
    if provider == .google {
      for (older, newer) in [("id", "sub"), ("verified_email", "email_verified")] {
        members[older] = members[older] ?? members[newer]
      }
    }
    return JSONValue.object(members).text
  }
}
