extension VerifiedIdentity {
  /// Drops an ambiguous address that a vendor reports, and throws `invalid-email` if it would be a way in.
  ///
  /// A password for such an address, from an old store, still signs in.
  mutating func checkAddress() throws(AuthError) {
    guard let email else { return }
    if case .matched = secret { return }
    do throws(AuthError) {
      try email.checkSpecials()
    } catch {
      guard !hasProfileOfItsOwn else {
        self.email = nil
        emailVerified = false
        return
      }
      throw error
    }
  }
}
