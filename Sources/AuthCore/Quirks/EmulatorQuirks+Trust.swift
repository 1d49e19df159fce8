/// Trust in addresses and take-overs.
extension EmulatorQuirks {
  func trusts(
    _ provider: ProviderID, for email: EmailAddress, _ policy: TrustPolicy
  ) -> Bool {
    trustsEveryProvider || policy.trusts(provider, for: email)
  }

  /// Returns the setting that a trace names.
  func named(_ trust: String) -> String {
    trustsEveryProvider ? "every provider is trusted" : trust
  }

  /// Tells whether an account without an address takes that of a linked identity.
  func takesAddress(_ usually: Bool) -> Bool { trustsEveryProvider || usually }

  /// Returns true if a credential links to an account by its unverified address without a take-over.
  func linksUnverified(by key: IdentityKey) -> Bool {
    keepsVendorsAtTakeOver && key.provider == .emailLink
  }

  /// Tells whether an account whose uid the app chose stays with the app's user.
  func leaves(_ isNamedByApp: Bool) -> Bool { isNamedByApp && !keepsVendorsAtTakeOver }

  /// Returns the identities that a take-over removes, given those that do not prove the address.
  func removed(from account: Account, _ unproven: [IdentityKey]) -> [IdentityKey] {
    guard keepsVendorsAtTakeOver else { return unproven }
    return account.identities.keys.filter { [.password, .phone].contains($0.provider) }
  }

  /// Returns the second factors that survive a take-over.
  func factorsKept(of account: Account) -> [SecondFactor] {
    keepsVendorsAtTakeOver ? account.secondFactors : []
  }

  /// Tells whether a reset creates an account beside one whose uid the app chose.
  func opensBeside(_ usually: Bool) -> Bool { usually && !resetRemovesVendors }

  /// Removes what a reset takes from an account.
  func reset(_ account: inout Account, usually remove: (inout Account) -> Void) {
    guard resetRemovesVendors else { return remove(&account) }
    account.identities.removeAll {
      ![ProviderID.password, .phone, .emailLink].contains($0.provider)
    }
  }
}
