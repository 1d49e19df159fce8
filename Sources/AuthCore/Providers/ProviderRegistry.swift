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

/// The providers of a running AuthGraph; handed in, never registered behind one's back.
public struct ProviderRegistry: Sendable {
  private let providers: [ProviderID: any AuthProvider]
  private let families: [any ProviderFamily]

  /// Makes a registry; of two providers with one ID the later one counts.
  public init(_ providers: [any AuthProvider], families: [any ProviderFamily] = []) {
    self.providers = Dictionary(
      providers.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    self.families = families
  }

  /// The registry with further providers.
  public func adding(_ further: [any AuthProvider]) -> ProviderRegistry {
    ProviderRegistry(Array(providers.values) + further, families: families)
  }

  /// The IDs in alphabetical order; the members of families are not among them.
  public var ids: [ProviderID] { providers.keys.sorted() }

  /// What the IDs of families begin with.
  public var prefixes: [String] { families.map(\.prefix) }

  public subscript(id: ProviderID) -> (any AuthProvider)? {
    if let provider = providers[id] { return provider }
    let name = id.rawValue
    return families.first { $0.has(name) }?.provider(id)
  }

  /// Finds a provider; throws `invalid-provider-id` with the nearest name.
  public func provider(_ id: ProviderID) throws(AuthError) -> any AuthProvider {
    guard let provider = self[id] else {
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
