extension VerifiedIdentity {
  /// Refuses an ambiguous address that would become a way in; drops one that a vendor reports.
  ///
  /// A password of such an address, from an old store, still signs in.
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
