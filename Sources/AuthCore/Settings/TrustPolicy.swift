/// The providers whose word on a verified e-mail counts, with the domains for which it does.
///
/// A provider can claim an address, but only this policy makes the claim count.
public struct TrustPolicy: Hashable, Sendable, Codable {
  /// The extent of trust in one provider.
  public enum Extent: Hashable, Sendable, Codable {
    /// The provider's word never counts.
    case never
    /// The provider's word counts for every domain.
    case always
    /// The provider's word counts for these domains, in ASCII form.
    case domains([String])
  }

  /// The extents by provider ID; a missing provider is never trusted.
  public var extents: [String: Extent]

  /// Makes a policy.
  public init(extents: [ProviderID: Extent]) {
    self.extents = Dictionary(
      uniqueKeysWithValues: extents.map { ($0.key.rawValue, $0.value) })
  }

  /// The policy of Firebase's production: a provider is trusted for its own mail domains; Apple and links for all.
  ///
  /// Domains that a provider hosts for others are left out, because a domain can change hands together with its
  /// addresses. So Google's claim `hd`, the name of a Workspace domain, has no effect. An admin can trust google.com
  /// for such a domain.
  public static let production = TrustPolicy(extents: [
    .google: .domains(["gmail.com", "googlemail.com"]),
    ProviderID("yahoo.com"): .domains(["yahoo.com"]),
    ProviderID("microsoft.com"): .domains(["outlook.com", "hotmail.com"]),
    .apple: .always,
    .emailLink: .always,
  ])

  /// The extent of trust in a provider.
  public subscript(provider: ProviderID) -> Extent {
    get { extents[provider.rawValue] ?? .never }
    set { extents[provider.rawValue] = newValue }
  }

  /// Tells whether the provider's word counts for this address.
  ///
  /// For a relay address of Apple only Apple is trusted, whatever the policy, because only Apple knows its owner. A
  /// link sent to such an address is a proof of the mailbox, which Apple forwards to the person.
  public func trusts(_ provider: ProviderID, for email: EmailAddress) -> Bool {
    if email.isAppleRelay, provider != .apple, provider != .emailLink { return false }
    return switch self[provider] {
    case .never: false
    case .always: true
    case .domains(let domains): domains.contains(email.domain)
    }
  }
}

extension TrustPolicy.Extent: CustomStringConvertible {
  /// The extent in words.
  public var description: String {
    switch self {
    case .never: "never"
    case .always: "always"
    case .domains(let domains): "for \(domains.joined(separator: ", "))"
    }
  }
}
