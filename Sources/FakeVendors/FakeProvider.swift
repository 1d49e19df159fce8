public import AuthCore

/// A provider that believes every credential, or misbehaves in one chosen way.
///
/// For tests of what surrounds a provider; it proves nothing about anybody.
public struct FakeProvider: AuthProvider {
  /// What the provider does with a credential.
  public enum Behavior: Sendable {
    /// Believes the fields.
    case honest
    /// Says that the person has no name, which no provider may.
    case emptySubject
    /// Says of every address that it is verified.
    case claimsVerified
    /// Answers for another provider.
    case claimsProvider(ProviderID)
    /// Says a new subject each time, which no provider may.
    case forgetful
    /// Refuses every credential.
    case failing(AuthError)
    /// Waits before it answers, until the duration is over or the task is cancelled.
    case slow(Duration)
  }

  public let id: ProviderID
  public let behavior: Behavior

  public init(id: ProviderID = ProviderID("fake.example"), behavior: Behavior = .honest) {
    self.id = id
    self.behavior = behavior
  }

  public var manifest: ProviderManifest {
    ProviderManifest(name: "Fake (\(id))", kind: .custom, builders: [Self.builder])
  }

  private static let builder = CredentialBuilder(
    "credential",
    fields: [
      CredentialField("subject", "who it is"),
      CredentialField("email", required: false, "the address, as the provider would say it"),
      CredentialField("emailVerified", required: false, "\"true\" where the address is verified"),
      CredentialField("displayName", required: false, "the name to show"),
      CredentialField("photoURL", required: false, "the picture to show"),
      CredentialField("phoneNumber", required: false, "the number to show"),
      CredentialField("screenName", required: false, "the handle to show"),
      CredentialField("language", required: false, "the language to show"),
      CredentialField("dateOfBirth", required: false, "the day of birth to show"),
      CredentialField("issuer", required: false, "who vouches, where there are several"),
    ])

  /// Makes a credential; throws `invalid-credential` where the subject is empty.
  public func credential(
    subject: String, email: String? = nil, emailVerified: Bool? = nil, displayName: String? = nil,
    photoURL: String? = nil, issuer: String? = nil
  ) throws(AuthError) -> AuthCredential {
    var fields = ["subject": subject]
    fields["email"] = email
    fields["emailVerified"] = emailVerified.map { $0 ? "true" : "false" }
    fields["displayName"] = displayName
    fields["photoURL"] = photoURL
    fields["issuer"] = issuer
    return try Self.builder.credential(for: id, fields)
  }

  public func verify(
    _ credential: AuthCredential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let subject = try credential.required("subject")
    switch behavior {
    case .honest: return identity(id, subject, credential)
    case .emptySubject: return identity(id, "", credential)
    case .claimsProvider(let other): return identity(other, subject, credential)
    case .forgetful: return identity(id, "\(subject)-\(UInt64.random(in: 0 ... .max))", credential)
    case .failing(let error): throw error
    case .claimsVerified:
      var identity = identity(id, subject, credential)
      identity.emailVerified = true
      return identity
    case .slow(let duration):
      try await Task.sleep(for: duration)
      return identity(id, subject, credential)
    }
  }

  private func identity(
    _ provider: ProviderID, _ subject: String, _ credential: AuthCredential
  ) -> VerifiedIdentity {
    VerifiedIdentity(
      provider: provider,
      key: IdentityKey(provider, issuer: credential["issuer"] ?? "", subject: subject),
      profile: IdentityProfile(
        email: credential["email"], displayName: credential["displayName"],
        photoURL: credential["photoURL"], phoneNumber: credential["phoneNumber"],
        screenName: credential["screenName"], language: credential["language"],
        dateOfBirth: credential["dateOfBirth"]),
      // The exact text: "True", "1" and "yes" are no provider's word.
      emailVerified: credential["emailVerified"] == "true",
      email: credential["email"].flatMap { try? EmailAddress($0) })
  }
}
