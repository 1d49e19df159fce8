extension JSONValue {
  /// Returns the claims of an ID token together with those of userinfo; the token's claims win.
  ///
  /// `email_verified` counts only together with the address it belongs to. If both name the same address and only
  /// userinfo has `email_verified`, userinfo's is taken.
  package func claims(over userInfo: JSONValue) -> JSONValue {
    guard case .object(let token) = self, case .object(var more) = userInfo else { return self }
    // A claim that is null or blank counts as missing.
    var said = token.filter { name, value in
      let isBlank = value == .null || (value.stringValue != nil && PersonName.said(value) == nil)
      return !isBlank || (more[name] ?? .null) == .null
    }
    if let address = token["email"]?.stringValue, PersonName.said(token["email"]) != nil {
      if !Self.isSame(address, more["email"]?.stringValue) { more["email_verified"] = nil }
      more["email"] = nil
    } else {
      said["email_verified"] = nil
    }
    return .object(more.merging(said) { _, signed in signed })
  }

  private static func isSame(_ address: String, _ other: String?) -> Bool {
    guard let other else { return false }
    guard let first = try? EmailAddress(address), let second = try? EmailAddress(other) else {
      return address == other
    }
    return first.matches(second)
  }
}
