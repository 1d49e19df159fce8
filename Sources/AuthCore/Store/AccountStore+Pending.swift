/// Stands in until every store keeps these.
extension AccountReader {
  public func session(_ id: String, in scope: Scope) throws -> SessionRecord? { throw Unfinished() }
  public func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    throw Unfinished()
  }
  public func exists(_ scope: Scope) throws -> Bool { throw Unfinished() }
}

extension AccountWriter {
  public func save(_ session: SessionRecord, in scope: Scope) throws { throw Unfinished() }
  public func removeSession(_ id: String, in scope: Scope) throws { throw Unfinished() }
  public func removeSessions(of account: AccountID, in scope: Scope) throws { throw Unfinished() }
  public func deleteScope(_ scope: Scope) throws { throw Unfinished() }
  public func deleteAccounts(in scope: Scope) throws { throw Unfinished() }
}

struct Unfinished: Error {}
