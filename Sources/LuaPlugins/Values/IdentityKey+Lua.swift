public import AuthCore
public import LuaRuntime

extension IdentityKey {
  /// Reads an entry of `providerData`, or an identity as text; throws `invalid-argument`.
  ///
  /// The issuer selects one of equal subjects. A replaced key stands for its replacement.
  public init(entry: LuaValue, of accounts: [Account]) throws(AuthError) {
    let identities = accounts.flatMap(\.identities)
    let known = identities.map(\.key)
    let table = entry.tableValue
    let (provider, issuer) = (table?["providerID"].stringValue, table?["issuer"].stringValue)
    let subject = table?["uid"].stringValue ?? table?["subject"].stringValue
    func isMeant(_ key: IdentityKey) -> Bool {
      if let text = entry.stringValue { return key.description == text }
      guard let provider, let subject else { return false }
      return key.provider.rawValue == provider && key.subject == subject
        && (issuer ?? key.issuer) == key.issuer
    }
    if let key = known.first(where: isMeant) {
      self = key
    } else if let identity = identities.first(where: { $0.keys.contains(where: isMeant) }) {
      self = identity.key
    } else {
      throw AuthError(
        .invalidArgument, "Neither account has the identity that should be dropped.",
        field: "dropIdentities",
        remedy: "Name one as text or as { providerID = …, uid = … }: "
          + "\(known.map(\.description).joined(separator: ", ")).")
    }
  }
}
