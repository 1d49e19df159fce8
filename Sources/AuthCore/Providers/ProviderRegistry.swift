/// Providers that differ only in how they are configured, such as every `oidc.NAME`.
public protocol ProviderFamily: Sendable {
  /// What their IDs begin with, such as `oidc.`.
  var prefix: String { get }
  /// The member with this ID, which begins with the prefix and is longer.
  func provider(_ id: ProviderID) -> any AuthProvider
}

extension ProviderFamily {
  /// Whether an ID is a member's: letters, digits, dots, dashes and underscores behind the prefix.
  func has(_ id: String) -> Bool {
    guard id.hasPrefix(prefix), id.utf8.count <= 128 else { return false }
    let rest = id.utf8.dropFirst(prefix.utf8.count)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return !rest.isEmpty
      && rest.allSatisfy { byte in
        letters.contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
      }
  }
}

/// Providers that can be replaced while others sign in with them, such as plug-ins.
///
/// Each call answers at once and from one consistent state.
public protocol ProviderSource: Sendable {
  /// The IDs that there are at the moment.
  var ids: [ProviderID] { get }
  /// The present provider with an ID, or the version of it that a flow began with; nil where that is not kept.
  func provider(_ id: ProviderID, version: String?) -> (any AuthProvider)?
}

/// The providers of a running AuthGraph; handed in, never registered behind one's back.
public struct ProviderRegistry: Sendable {
  private let providers: [ProviderID: any AuthProvider]
  private let families: [any ProviderFamily]
  private let source: (any ProviderSource)?

  /// Makes a registry; of two providers with one ID the later one counts.
  ///
  /// What stands here itself goes before what the source has.
  public init(
    _ providers: [any AuthProvider], families: [any ProviderFamily] = [],
    source: (any ProviderSource)? = nil
  ) {
    self.providers = Dictionary(
      providers.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    self.families = families
    self.source = source
  }

  /// The registry with further providers.
  public func adding(_ further: [any AuthProvider]) -> ProviderRegistry {
    ProviderRegistry(Array(providers.values) + further, families: families, source: source)
  }

  /// The registry with providers that can be replaced while it is used.
  public func adding(_ source: any ProviderSource) -> ProviderRegistry {
    ProviderRegistry(Array(providers.values), families: families, source: source)
  }

  /// The IDs in alphabetical order; the members of families are not among them.
  public var ids: [ProviderID] {
    Set(providers.keys).union(source?.ids ?? []).sorted()
  }

  /// What the IDs of families begin with.
  public var prefixes: [String] { families.map(\.prefix) }

  public subscript(id: ProviderID) -> (any AuthProvider)? { find(id, version: nil) }

  private func find(_ id: ProviderID, version: String?) -> (any AuthProvider)? {
    if let provider = providers[id] ?? source?.provider(id, version: version) { return provider }
    let name = id.rawValue
    return families.first { $0.has(name) }?.provider(id)
  }

  /// Finds a provider; throws `invalid-provider-id` with the nearest name.
  ///
  /// The version is the one that a flow began with. No other one ends the flow: `invalid-credential` where it is no
  /// longer kept.
  public func provider(
    _ id: ProviderID, version: String? = nil
  ) throws(AuthError) -> any AuthProvider {
    if version != nil, find(id, version: version) == nil, self[id] != nil {
      throw .refusedCallback("the provider was replaced meanwhile")
    }
    guard let provider = find(id, version: version) else {
      throw AuthError(
        .invalidProviderID, "There is no provider \"\(id)\".", field: "providerID",
        remedy: suggestion(for: id.rawValue, among: ids.map(\.rawValue)))
    }
    return provider
  }

  /// Makes a credential with the one of the provider's builders that the input fits.
  ///
  /// Throws `invalid-provider-id`, or `invalid-credential` as the builder with the most fields in common
  /// says it.
  public func credential(
    _ id: ProviderID, _ input: [String: String]
  ) throws(AuthError) -> AuthCredential {
    let builders = try provider(id).manifest.builders
    var best: (common: Int, error: AuthError)?
    for builder in builders {
      do {
        return try builder.credential(for: id, input)
      } catch {
        let common = builder.fields.count { input[$0.name] != nil }
        if best.map({ common > $0.common }) ?? true { best = (common, error) }
      }
    }
    throw best?.error
      ?? AuthError(
        .operationNotAllowed, "The provider \(id) makes no credentials.", field: "providerID",
        remedy: "Use another provider.")
  }
}
