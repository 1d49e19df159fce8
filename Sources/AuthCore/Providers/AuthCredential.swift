/// Unverified input: which provider it is for, and its fields.
public struct AuthCredential: Sendable, Hashable, CustomStringConvertible {
  public let provider: ProviderID
  /// The name of the builder that made it.
  public let builder: String
  /// The only account that it may be linked to, where it was made for one; it signs nobody in then.
  public let boundAccount: AccountID?
  /// The version of the plug-in that it was begun with, and that is to verify it; nil for the present one.
  public let providerVersion: String?
  private let fields: [String: Secret<String>]

  /// Makes a credential from fields that a ``CredentialBuilder`` has checked.
  public init(
    provider: ProviderID, builder: String, fields: [String: String], boundAccount: AccountID? = nil,
    providerVersion: String? = nil
  ) {
    self.providerVersion = providerVersion
    self.boundAccount = boundAccount
    self.provider = provider
    self.builder = builder
    self.fields = fields.mapValues(Secret.init)
  }

  /// A field's value, or nil where the credential has none.
  public subscript(field: String) -> String? {
    fields[field]?.reveal()
  }

  /// A field's value; throws `invalid-credential` naming the field where the credential has none.
  public func required(_ field: String) throws(AuthError) -> String {
    guard let value = self[field], !value.isEmpty else {
      throw AuthError(
        .invalidCredential, "The credential has no \(field).", field: field,
        remedy: "Give \(field).", step: .credential)
    }
    return value
  }

  /// A text without what the fields hold.
  func hidden(in text: String) -> String { text.hiding(fields.values.map { $0.reveal() }) }

  /// The provider and the names of the fields; never their values.
  public var description: String {
    "\(provider) credential (\(fields.keys.sorted().joined(separator: ", ")))"
  }
}

/// One field of a credential.
public struct CredentialField: Sendable, Hashable {
  public enum FieldType: String, Sendable {
    case string, email, phoneNumber, url
  }

  public let name: String
  public let type: FieldType
  /// Whether it must never be shown or kept.
  public let isSecret: Bool
  public let isRequired: Bool
  public let summary: String

  public init(
    _ name: String, type: FieldType = .string, secret: Bool = false, required: Bool = true,
    _ summary: String
  ) {
    self.name = name
    self.type = type
    isSecret = secret
    isRequired = required
    self.summary = summary
  }
}

/// A named recipe for a credential, as data: the console completes it, REST and Lua check input by it.
public struct CredentialBuilder: Sendable, Hashable {
  public let name: String
  public let fields: [CredentialField]

  public init(_ name: String, fields: [CredentialField]) {
    self.name = name
    self.fields = fields
  }

  /// Checks the input and makes the credential.
  ///
  /// Throws `invalid-credential` naming the field that is missing, empty, unknown or malformed.
  public func credential(
    for provider: ProviderID, _ input: [String: String]
  ) throws(AuthError) -> AuthCredential {
    let names = fields.map(\.name)
    if let unknown = input.keys.sorted().first(where: { !names.contains($0) }) {
      throw AuthError(
        .invalidCredential, "A credential of \(provider) has no field \"\(unknown)\".",
        field: unknown, remedy: suggestion(for: unknown, among: names), step: .credential)
    }
    for field in fields {
      try field.check(input[field.name], for: provider)
    }
    return AuthCredential(provider: provider, builder: name, fields: input)
  }
}

extension CredentialField {
  func check(_ value: String?, for provider: ProviderID) throws(AuthError) {
    guard let value, !value.isEmpty else {
      guard isRequired else { return }
      throw AuthError(
        .invalidCredential, "A credential of \(provider) needs \(name): \(summary).", field: name,
        remedy: "Add \(name) = … to it.", step: .credential)
    }
    switch type {
    case .email: _ = try EmailAddress(value)
    case .phoneNumber: _ = try PhoneNumber(value)
    case .url where !value.contains("://"):
      throw AuthError(
        .invalidCredential, "The field \(name) is not an absolute URL.", field: name,
        remedy: "Write it with its scheme, such as https://example.com/.", step: .credential)
    case .url, .string: break
    }
  }
}
