import AuthCore

extension Identity {
  /// The entry of a vendor's identity.
  ///
  /// `federatedId` repeats the subject: JavaScript's client reads `rawId`, Apple's `federatedId`.
  var providerEntry: JSONValue {
    var entry: [String: JSONValue] = [
      "providerId": .string(provider.rawValue), "rawId": .string(key.subject),
      "federatedId": .string(key.subject),
    ]
    entry.put("email", profile.email)
    entry.put("displayName", profile.displayName)
    entry.put("photoUrl", profile.photoURL)
    entry.put("phoneNumber", profile.phoneNumber)
    entry.put("screenName", profile.screenName)
    return .object(entry)
  }

  /// The entry of `passkeyInfo`.
  var passkey: JSONValue {
    var entry: [String: JSONValue] = ["credentialId": .string(key.subject)]
    entry.put("name", profile.displayName)
    return .object(entry)
  }
}

extension SecondFactor {
  /// The entry of `mfaInfo`; a full one, as the emulator's, repeats the number.
  func enrollment(isFull: Bool) -> JSONValue {
    var entry: [String: JSONValue] = ["mfaEnrollmentId": .string(id)]
    entry.put("displayName", displayName)
    entry.put("enrolledAt", enrolledAt.map(EnrollmentTime.wireText))
    switch kind {
    case .phone(let number):
      entry["phoneInfo"] = .string(number.text)
      if isFull { entry["unobfuscatedPhoneInfo"] = .string(number.text) }
    case .totp: entry["totpInfo"] = .object([:])
    }
    return .object(entry)
  }
}
