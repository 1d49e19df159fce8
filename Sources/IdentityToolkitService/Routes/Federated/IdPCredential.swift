import AuthCore
import IdentityToolkit

extension FederatedHandler {
  /// Makes a credential from an app's parameters, with one of the provider's own builders.
  ///
  /// Parameters with a state are a browser's answer: they complete the sign-in that `createAuthUri` began for this
  /// `sessionId`. Throws `OPERATION_NOT_ALLOWED` for an unknown provider, `INVALID_IDP_RESPONSE`, or
  /// `MISSING_OR_INVALID_NONCE`.
  func credential(of parameters: IdPParameters) async throws -> Credential {
    let provider = try await vendor(parameters.provider, in: scope)
    if parameters["state"] != nil {
      let session = try body.filled("sessionId")
      return try await graph.finishAuthorization(
        provider.id, callback: parameters.values, redirectURI: services.handlerAddress,
        session: session ?? "", by: caller
      ).credential
    }
    return try Self.credential(provider, parameters)
  }

  /// Chooses the builder that uses the most parameters.
  private static func credential(
    _ provider: any AuthProvider, _ parameters: IdPParameters
  ) throws -> Credential {
    let sent = fields(parameters)
    let builders = provider.manifest.builders
    let fitting = builders.compactMap {
      builder -> (builder: CredentialBuilder, [String: String])? in
      let taken = sent.filter { name, _ in builder.fields.contains { $0.name == name } }
      let isWhole = builder.fields.allSatisfy { !$0.isRequired || taken[$0.name] != nil }
      return isWhole && !taken.isEmpty ? (builder, taken) : nil
    }
    let best = fitting.max { $0.1.count < $1.1.count }
    guard let (builder, taken) = best else {
      let wantsNonce =
        sent["idToken"] != nil && sent["nonce"] == nil
        && builders.contains { builder in
          ["idToken", "nonce"].allSatisfy { name in
            builder.fields.contains { $0.name == name && $0.isRequired }
          }
        }
      throw wantsNonce
        ? WireError("MISSING_OR_INVALID_NONCE") : WireError("INVALID_IDP_RESPONSE")
    }
    return try builder.credential(for: provider.id, taken)
  }

  /// Returns the parameters by the names that credential builders use.
  private static func fields(_ parameters: IdPParameters) -> [String: String] {
    // A builder may use a vendor's own names, with underscores. Firebase's names become those of builders.
    var fields = parameters.values.filter { !$0.value.isEmpty }
    for (name, value) in WireFields(texts: parameters.values).members {
      guard let text = value.stringValue, !text.isEmpty else { continue }
      fields[Self.names[name] ?? name] = text
    }
    // Apple sends the name only once, beside the token.
    if let user = parameters["user"] { fields["fullName"] = user }
    // Firebase's clients send the server auth code of Play Games as a code that no browser brought.
    if let code = parameters["code"] { fields["serverAuthCode"] = fields["serverAuthCode"] ?? code }
    return fields
  }

  /// Parameters that builders spell differently.
  private static let names = ["redirectUri": "redirectURI"]
}

extension ProviderRegistry {
  /// Returns a provider that trusts a vendor, which passwords and phone codes do not.
  func vendor(_ id: ProviderID) throws -> any AuthProvider {
    guard let provider = self[id], provider.signsInWithVendor else {
      throw WireError(
        "OPERATION_NOT_ALLOWED", "The identity provider configuration is not found.")
    }
    return provider
  }
}
