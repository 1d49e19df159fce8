import AuthCore
import LuaRuntime

/// The words about accounts and addresses: `has`, `claim`, `domain`, `mailbox` and `sameAddress`.
///
/// Each takes a missing value for an answer of nil or false, so that a policy needs no check of its own.
extension PolicyLibrary {
  func installAccounts() throws(LuaError) {
    try add("has") { call in
      let provider = try call.string(2, "provider")
      return .values([.bool(try Self.providers(call).contains(provider))])
    }
    try add("claim") { call in
      let name = try call.string(2, "name")
      try Self.checkAccount(call, 1)
      return .values([try call.field("customClaims", name, of: 1)])
    }
    try add("domain") { call in
      .values([.optional(try Self.address(call, 1)?.domain)])
    }
    try add("mailbox") { call in
      .values([.optional(try Self.address(call, 1)?.mailbox)])
    }
    try add("sameAddress") { call in
      let (a, b) = (try Self.address(call, 1), try Self.address(call, 2))
      return .values([.bool(a?.matches(b) == true)])
    }
  }

  /// The providers of the account that is the first argument.
  private static func providers(_ call: LuaCall) throws -> [String] {
    if let record = call.untouchedRecord(1) as? AccountRecord {
      return record.account.identities.map(\.provider.rawValue)
    }
    try checkAccount(call, 1)
    let identities = try call.field("providerData", of: 1, .copies).tableValue?.array ?? []
    return identities.compactMap { $0.tableValue?["providerID"].stringValue }
  }

  private static func checkAccount(_ call: LuaCall, _ index: Int) throws {
    guard call.typeName(index) == "table" else {
      throw call.argumentError(index, "an account expected, got \(call.typeName(index))")
    }
  }

  /// The address that an argument is or, as an account, has; nil if there is none.
  private static func address(_ call: LuaCall, _ index: Int) throws -> EmailAddress? {
    if call.isNil(index) { return nil }
    if let record = call.untouchedRecord(index) as? AccountRecord { return record.account.email }
    let text =
      call.typeName(index) == "table"
      ? try call.field("email", of: index).stringValue : try call.string(index, "address")
    return text.flatMap { try? EmailAddress($0) }
  }
}

extension EmailAddress {
  /// The canonical address as Gmail delivers it: without dots and `+` suffixes there, and otherwise unchanged.
  fileprivate var mailbox: String {
    guard ["gmail.com", "googlemail.com"].contains(domain),
      let at = canonical.lastIndex(of: "@")
    else { return canonical }
    let local = canonical[..<at].prefix { $0 != "+" }.filter { $0 != "." }
    return "\(local)@gmail.com"
  }
}
