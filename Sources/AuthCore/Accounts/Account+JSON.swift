// How accounts, and parts of them, are kept as JSON: in the journal of merges, in sessions and in an account's details.
// What one of these types gets is added here too, or it is forgotten when it is written.

extension Account: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("createdAt", createdAt.milliseconds)
    writer.member("customClaims", customClaims?.text)
    writer.member("details", details)
    writer.member("disabled", disabled)
    writer.member("displayName", displayName)
    writer.member("email", email?.text)
    writer.member("emailVerified", emailVerified)
    writer.member("generation", generation)
    writer.member("id", id.rawValue)
    writer.member("identities", identities)
    writer.member("isAnonymous", isAnonymous)
    writer.member("lastSignInAt", lastSignInAt?.milliseconds)
    writer.member("ownership", ownership?.mark)
    writer.member("phoneNumber", phoneNumber?.text)
    writer.member("photoURL", photoURL)
    writer.member("revision", revision)
    writer.member("scope", scope)
    writer.member("secondFactors", secondFactors)
    writer.member("validSince", validSince?.milliseconds)
  }
}

extension AccountDetails: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("dateOfBirth", dateOfBirth)
    writer.member("initialEmail", initialEmail?.text)
    writer.member("language", language)
    writer.member("lastRefreshAt", lastRefreshAt?.milliseconds)
    writer.member("screenName", screenName)
    writer.member("timeZone", timeZone)
    writer.member("usedCustomToken", usedCustomToken)
  }
}

extension Scope: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("project", project)
    writer.member("tenant", tenant)
  }
}

extension Identity: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("emailVerified", emailVerified)
    writer.member("key", key)
    writer.member("lastSignInAt", lastSignInAt?.milliseconds)
    writer.member("linkedAt", linkedAt.milliseconds)
    writer.member("origin", origin.rawValue)
    writer.member("predecessors", predecessors)
    writer.member("profile", profile)
    writer.member("secret", secret)
  }
}

extension IdentityKey: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("issuer", issuer)
    writer.member("provider", provider.rawValue)
    writer.member("subject", subject)
  }
}

extension IdentityProfile: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("dateOfBirth", dateOfBirth)
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("language", language)
    writer.member("phoneNumber", phoneNumber)
    writer.member("photoURL", photoURL)
    writer.member("screenName", screenName)
  }
}

extension Predecessor: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("identity", identity)
    writer.member("place", place.map(Int64.init))
    writer.member("rekey", rekey)
    writer.member("until", until.milliseconds)
  }
}

extension SecondFactor: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("displayName", displayName)
    writer.member("enrolledAt", enrolledAt)
    writer.member("id", id)
    writer.member("kind", kind)
    writer.member("secret", secret)
  }
}

extension SecondFactor.Kind: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    switch self {
    case .phone(let number):
      writer.name("phone")
      writer.object { $0.member("_0", number.text) }
    case .totp:
      writer.name("totp")
      writer.object { _ in }
    }
  }
}

extension StoredSecret: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("changedAt", changedAt.milliseconds)
    writer.member("encoded", encoded)
  }
}
