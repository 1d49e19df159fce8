/// Unverified input: the provider it is for, and its fields.
public struct Credential: Sendable, Hashable, CustomStringConvertible {
  /// The provider that verifies it.
  public let provider: ProviderID
  /// The name of the builder that made it.
  public let builder: String
  /// The only account that it may be linked to, if it was made for one; it cannot sign in then.
  public let boundAccount: AccountID?
  /// The version of the plug-in that began it and has to verify it; nil for the present one.
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

  /// Returns a field's value; nil if the credential has none.
  public subscript(field: String) -> String? {
    fields[field]?.reveal()
  }

  /// Returns a field's value, or throws `invalid-credential` naming the field.
  public func required(_ field: String) throws(AuthError) -> String {
    guard let value = self[field], !value.isEmpty else {
      throw AuthError(
        .invalidCredential, "The credential has no \(field).", field: field,
        remedy: "Give \(field).", step: .credential)
    }
    return value
  }

  /// Returns a text without the values of the fields.
  func hidden(in text: String) -> String { text.hiding(fields.values.map { $0.reveal() }) }

  /// The provider and the names of the fields; never their values.
  public var description: String {
    "\(provider) credential (\(fields.keys.sorted().joined(separator: ", ")))"
  }
}

/// A field of a credential.
public struct CredentialField: Sendable, Hashable {
  /// The type of a field's value.
  public enum FieldType: String, Sendable {
    case string, email, phoneNumber, url
  }

  /// The name in Lua, REST and the console.
  public let name: String
  /// The type of the value.
  public let type: FieldType
  /// True if the value must not be shown or stored.
  public let isSecret: Bool
  /// True if the credential cannot be made without it.
  public let isRequired: Bool
  /// A description for help texts.
  public let summary: String

  /// Describes a field.
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

/// A named set of fields for a credential, as data: the console completes it, and REST and Lua check input by it.
public struct CredentialBuilder: Sendable, Hashable {
  /// The name of the builder.
  public let name: String
  /// The fields that it takes.
  public let fields: [CredentialField]

  /// Describes a builder.
  public init(_ name: String, fields: [CredentialField]) {
    self.name = name
    self.fields = fields
  }

  /// Checks the input and makes the credential.
  ///
  /// Throws `invalid-credential` naming a field that is missing, empty, unknown or malformed.
  public func credential(
    for provider: ProviderID, _ input: [String: String]
  ) throws(AuthError) -> Credential {
    let names = fields.map(\.name)
    if let unknown = input.keys.sorted().first(where: { !names.contains($0) }) {
      throw AuthError(
        .invalidCredential, "A credential of \(provider) has no field \"\(unknown)\".",
        field: unknown, remedy: suggestion(for: unknown, among: names), step: .credential)
    }
    for field in fields {
      try field.check(input[field.name], for: provider)
    }
    return Credential(provider: provider, builder: name, fields: input)
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
