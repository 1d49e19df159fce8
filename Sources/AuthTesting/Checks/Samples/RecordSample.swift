package import AuthCore

extension Account {
  /// Returns an account with a value in each field of the lists.
  package static func withEveryField(_ id: String, in scope: Scope) throws -> Account {
    try Sample.fullAccount(id, in: scope)
  }

  /// Returns the fields of the lists that are as in a new record, in the account and in its parts.
  ///
  /// A store counts revisions itself, and predecessors have checks of their own.
  func unfilledFields() throws -> [String] {
    try Self.unfilled(in: [self], except: ["revision"])
      + AccountDetails.unfilled(in: [details])
      + Identity.unfilled(in: identities, except: ["predecessors"])
      + IdentityProfile.unfilled(in: identities.map(\.profile))
      + StoredSecret.unfilled(in: identities.compactMap(\.secret))
      + SecondFactor.unfilled(in: secondFactors)
  }
}

extension FieldRecord {
  /// Returns the fields that have the same value in all of the records as in a new one.
  fileprivate static func unfilled(
    in records: [Self], except others: Set<String> = []
  ) throws -> [String] {
    let new = try JSONValue(text: blank.json)
    let values = try records.map { try JSONValue(text: $0.json) }
    return fields.names.filter { name in
      !others.contains(name) && values.allSatisfy { $0[name] == new[name] }
    }.map { "\(Self.self).\($0)" }
  }
}
