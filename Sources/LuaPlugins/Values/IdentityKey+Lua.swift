public import AuthCore
public import LuaRuntime

extension IdentityKey {
  /// Reads an entry of `providerData`, or an identity as text; throws `invalid-argument`.
  public init(entry: LuaValue, of accounts: [Account]) throws(AuthError) {
    let known = accounts.flatMap(\.identities).map(\.key)
    if let text = entry.stringValue, let key = known.first(where: { $0.description == text }) {
      self = key
    } else if let table = entry.tableValue, let provider = table["providerID"].stringValue,
      let subject = table["uid"].stringValue ?? table["subject"].stringValue,
      let key = known.first(where: { $0.provider.rawValue == provider && $0.subject == subject })
    {
      self = key
    } else {
      throw AuthError(
        .invalidArgument, "Neither account has the identity that should be dropped.",
        field: "dropIdentities",
        remedy: "Name one of: \(known.map(\.description).joined(separator: ", ")).")
    }
  }
}
