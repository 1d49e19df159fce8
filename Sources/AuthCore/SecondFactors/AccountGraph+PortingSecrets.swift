/// Secrets of authenticator apps that move between stores, each of which seals them with its own key.
extension AccountGraph {
  /// Seals a base32 secret for an imported factor; throws if the key cannot be read or made.
  package func sealTOTP(
    _ secret: Secret<String>, of factorID: String, in scope: Scope
  ) throws -> StoredSecret {
    StoredSecret(
      encoded: try services.secrets.seal(secret.reveal(), for: Self.totpPurpose(factorID, scope)),
      changedAt: clock())
  }

  /// Opens the base32 secret of a factor; nil if it has none, or another key sealed it.
  package func openTOTP(_ factor: SecondFactor, in scope: Scope) -> Secret<String>? {
    guard case .totp = factor.kind, let stored = factor.secret else { return nil }
    return (try? services.secrets.open(stored.encoded, for: Self.totpPurpose(factor.id, scope)))
      .map(Secret.init)
  }
}
