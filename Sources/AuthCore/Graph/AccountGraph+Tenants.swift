extension AccountGraph {
  /// Opens a tenant; throws `operation-not-allowed` for a caller who is not an admin.
  public func createTenant(
    _ id: String? = nil, in project: String, settings: ProjectSettings, by caller: Caller
  ) async throws -> Scope { throw Unfinished() }

  /// A page of tenant IDs, in order, beginning behind `after`.
  public func tenants(of project: String, after: String?, limit: Int) async throws -> [String] {
    try await store.read { try $0.tenants(of: project, after: after, limit: limit) }
  }

  /// Whether a tenant was opened.
  public func tenantExists(_ scope: Scope) async throws -> Bool {
    try await store.read { try $0.exists(scope) }
  }

  /// Removes a tenant with its accounts; throws `tenant-not-found`.
  public func deleteTenant(_ scope: Scope, by caller: Caller) async throws { throw Unfinished() }

  /// Removes every account of a scope, as tests against the emulator do.
  public func deleteAllAccounts(by caller: Caller) async throws { throw Unfinished() }
}
