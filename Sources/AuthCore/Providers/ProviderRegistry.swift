/// Providers that differ only in their configuration, such as every `oidc.NAME`.
public protocol ProviderFamily: Sendable {
  /// The prefix of the family's IDs, such as `oidc.`.
  var prefix: String { get }
  /// Returns the member with this ID, which begins with the prefix and is longer.
  func provider(_ id: ProviderID) -> any AuthProvider
}

extension ProviderFamily {
  /// Tells whether an ID belongs to the family: letters, digits, dots, hyphens and underscores after the prefix.
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

/// Providers that can be replaced while sign-ins are under way, such as plug-ins.
///
/// Each call answers at once and from one consistent state.
public protocol ProviderSource: Sendable {
  /// The IDs of the present providers.
  var ids: [ProviderID] { get }
  /// Returns the present provider, or the version of it with which a flow began; nil if that version is gone.
  func provider(_ id: ProviderID, version: String?) -> (any AuthProvider)?
}

/// The providers of a graph, which are passed in explicitly.
public struct ProviderRegistry: Sendable {
  private let providers: [ProviderID: any AuthProvider]
  private let families: [any ProviderFamily]
  private let source: (any ProviderSource)?

  /// Makes a registry; of two providers with one ID, the later one counts.
  ///
  /// The listed providers take precedence over those of the source.
  public init(
    _ providers: [any AuthProvider], families: [any ProviderFamily] = [],
    source: (any ProviderSource)? = nil
  ) {
    self.providers = Dictionary(
      providers.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    self.families = families
    self.source = source
  }

  /// Returns the registry with further providers.
  public func adding(_ further: [any AuthProvider]) -> ProviderRegistry {
    ProviderRegistry(Array(providers.values) + further, families: families, source: source)
  }

  /// Returns the registry with providers that can be replaced at run time.
  public func adding(_ source: any ProviderSource) -> ProviderRegistry {
    ProviderRegistry(Array(providers.values), families: families, source: source)
  }

  /// The IDs in alphabetical order, without members of families.
  public var ids: [ProviderID] {
    Set(providers.keys).union(source?.ids ?? []).sorted()
  }

  /// The prefixes of the families' IDs.
  public var prefixes: [String] { families.map(\.prefix) }

  /// The provider with this ID; nil if there is none.
  public subscript(id: ProviderID) -> (any AuthProvider)? { find(id, version: nil) }

  private func find(_ id: ProviderID, version: String?) -> (any AuthProvider)? {
    if let provider = providers[id] ?? source?.provider(id, version: version) { return provider }
    let name = id.rawValue
    return families.first { $0.has(name) }?.provider(id)
  }

  /// Finds a provider, or throws `invalid-provider-id` with the nearest name.
  ///
  /// The version is the one with which a flow began, and only that one may finish the flow. Throws `invalid-credential`
  /// if that version is gone.
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

  /// Makes a credential with the builder of the provider that the input fits.
  ///
  /// Throws `invalid-provider-id`, or the `invalid-credential` of the builder with the most fields in common.
  public func credential(
    _ id: ProviderID, _ input: [String: String]
  ) throws(AuthError) -> Credential {
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
