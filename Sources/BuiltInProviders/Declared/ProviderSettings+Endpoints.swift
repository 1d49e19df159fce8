package import AuthCore

extension ProviderSettings {
  /// The hosts that an admin allowed to be private and without TLS.
  var privateHosts: [String] { list("privateHosts").map { $0.lowercased() } }
}

extension ConfigurationField {
  /// The field for endpoints that are not the vendor's usual ones.
  static func endpoints(_ names: [String]) -> ConfigurationField {
    ConfigurationField(
      "endpoints", .urls, names: names, "endpoints that are not the usual ones")
  }

  static let privateHosts = ConfigurationField(
    "privateHosts", .list, "hosts, as host or host:port, that may be private and without TLS")
}

extension Credential {
  /// A field's value; nil if it is missing or empty.
  package func optional(_ field: String) -> String? {
    self[field].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The error for a builder that the provider does not have.
  package var unknownBuilder: AuthError {
    AuthError(
      .invalidCredential, "The provider \(provider) has no credential of this kind.",
      remedy: "Make credentials with the provider's builders.", step: .credential)
  }
}
