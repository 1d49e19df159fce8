/// Says whose word on a verified e-mail counts, and for which domains.
///
/// A provider can claim, never grant.
public struct TrustPolicy: Hashable, Sendable, Codable {
  /// The extent of trust in one provider.
  public enum Extent: Hashable, Sendable, Codable {
    case never
    case always
    /// For these domains, in ASCII form.
    case domains([String])
  }

  public var extents: [String: Extent]

  public init(extents: [ProviderID: Extent]) {
    self.extents = Dictionary(
      uniqueKeysWithValues: extents.map { ($0.key.rawValue, $0.value) })
  }

  /// What Firebase trusts in production: the issuer of an address for that address, and Apple always.
  ///
  /// Domains hosted elsewhere are left out: a domain can change hands, and its old addresses with it. So Google's claim
  /// `hd`, by which it names a Workspace domain, grants nothing; an admin trusts google.com for such a domain.
  public static let production = TrustPolicy(extents: [
    .google: .domains(["gmail.com", "googlemail.com"]),
    ProviderID("yahoo.com"): .domains(["yahoo.com"]),
    ProviderID("microsoft.com"): .domains(["outlook.com", "hotmail.com"]),
    .apple: .always,
    .emailLink: .always,
  ])

  public subscript(provider: ProviderID) -> Extent {
    get { extents[provider.rawValue] ?? .never }
    set { extents[provider.rawValue] = newValue }
  }

  /// Tells whether the provider's word counts for this address.
  ///
  /// For a relay address of Apple's only Apple's word counts, however far another provider is trusted: Apple alone knows
  /// whose it is. A link that was sent to it is no word but a proof of the mailbox, which Apple forwards to the person.
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
  public var description: String {
    switch self {
    case .never: "never"
    case .always: "always"
    case .domains(let domains): "for \(domains.joined(separator: ", "))"
    }
  }
}
