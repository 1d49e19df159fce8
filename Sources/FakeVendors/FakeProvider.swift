public import AuthCore

/// A provider that accepts every credential, or misbehaves in one chosen way.
///
/// For tests of code that uses providers; it verifies nothing.
public struct FakeProvider: AuthProvider {
  /// The treatment of a credential.
  public enum Behavior: Sendable {
    /// Accepts the fields.
    case honest
    /// Returns an empty subject, which no provider may.
    case emptySubject
    /// Calls every address verified.
    case claimsVerified
    /// Returns an identity of another provider.
    case claimsProvider(ProviderID)
    /// Returns a new subject each time, which no provider may.
    case forgetful
    /// Refuses every credential.
    case failing(AuthError)
    /// Waits before it answers, until the duration is over or the task is cancelled.
    case slow(Duration)
  }

  /// The ID of the provider.
  public let id: ProviderID
  /// The treatment of every credential.
  public let behavior: Behavior

  /// Makes the provider.
  public init(id: ProviderID = ProviderID("fake.example"), behavior: Behavior = .honest) {
    self.id = id
    self.behavior = behavior
  }

  /// The provider's name and its builder.
  public var manifest: ProviderManifest {
    ProviderManifest(name: "Fake (\(id))", kind: .custom, builders: [Self.builder])
  }

  private static let builder = CredentialBuilder(
    "credential",
    fields: [
      CredentialField("subject", "the person's subject"),
      CredentialField("email", required: false, "the address, as the provider would say it"),
      CredentialField("emailVerified", required: false, "\"true\" where the address is verified"),
      CredentialField("displayName", required: false, "the name to show"),
      CredentialField("photoURL", required: false, "the picture to show"),
      CredentialField("phoneNumber", required: false, "the number to show"),
      CredentialField("screenName", required: false, "the handle to show"),
      CredentialField("language", required: false, "the language to show"),
      CredentialField("dateOfBirth", required: false, "the day of birth to show"),
      CredentialField("issuer", required: false, "the issuer, if there are several"),
    ])

  /// Makes a credential; throws `invalid-credential` if the subject is empty.
  public func credential(
    subject: String, email: String? = nil, emailVerified: Bool? = nil, displayName: String? = nil,
    photoURL: String? = nil, issuer: String? = nil
  ) throws(AuthError) -> Credential {
    var fields = ["subject": subject]
    fields["email"] = email
    fields["emailVerified"] = emailVerified.map { $0 ? "true" : "false" }
    fields["displayName"] = displayName
    fields["photoURL"] = photoURL
    fields["issuer"] = issuer
    return try Self.builder.credential(for: id, fields)
  }

  /// Returns the identity in the credential's fields, or misbehaves.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
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
    _ provider: ProviderID, _ subject: String, _ credential: Credential
  ) -> VerifiedIdentity {
    VerifiedIdentity(
      provider: provider,
      key: IdentityKey(provider, issuer: credential["issuer"] ?? "", subject: subject),
      profile: IdentityProfile(
        email: credential["email"], displayName: credential["displayName"],
        photoURL: credential["photoURL"], phoneNumber: credential["phoneNumber"],
        screenName: credential["screenName"], language: credential["language"],
        dateOfBirth: credential["dateOfBirth"]),
      // The exact text only: "True", "1" and "yes" do not count.
      emailVerified: credential["emailVerified"] == "true",
      email: credential["email"].flatMap { try? EmailAddress($0) })
  }
}
