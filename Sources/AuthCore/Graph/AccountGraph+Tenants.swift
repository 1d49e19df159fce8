extension AccountGraph {
  /// Opens a tenant with settings of its own.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin, or `invalid-argument` for an ID that is
  /// taken, or that is none: letters, digits and hyphens.
  public func createTenant(
    _ id: String? = nil, in project: String, settings: ProjectSettings, by caller: Caller
  ) async throws -> Scope {
    try requireAdmin(caller)
    try caller.cannotRehearse("Opening a tenant")
    if let excess = settings.excess() { throw excess }
    let tenant = id ?? RandomText.text(28, alphabet: RandomText.base62, random)
    guard tenant.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9-]{0,127}/) != nil else {
      throw AuthError(
        .invalidArgument, "A tenant's ID has letters, digits and hyphens.", field: "tenantId",
        remedy: "Choose another one, or leave it out.", step: .decision)
    }
    let scope = Scope(project: project, tenant: tenant)
    try await change(.createTenant, scope, by: caller) { writer in
      guard try !writer.exists(scope) else {
        throw AuthError(
          .invalidArgument, "There is such a tenant already.", field: "tenantId",
          remedy: "Choose another ID, or leave it out.", step: .decision)
      }
      // What names stood for, another scope's people know.
      var own = settings
      own.subjects = [:]
      try writer.save(own, for: scope)
    }
    return scope
  }

  /// A page of tenant IDs, in order, beginning behind `after`.
  public func tenants(of project: String, after: String?, limit: Int) async throws -> [String] {
    try await store.read { try $0.tenants(of: project, after: after, limit: limit) }
  }

  /// Opens a tenant with the settings of its project unless it is open already; returns whether it was opened.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin, or `invalid-argument` for an ID that is none.
  @discardableResult
  public func openTenant(_ scope: Scope, by caller: Caller) async throws -> Bool {
    guard let tenant = scope.tenant, try await !tenantExists(scope) else { return false }
    _ = try await createTenant(
      tenant, in: scope.project, settings: try await settingsOfNewTenants(of: scope.project),
      by: caller)
    return true
  }

  /// What a new tenant has of its project: everything but providers, whose secrets are sealed for the project.
  ///
  /// Whose word counts under a name that an admin gives an issuer, each scope decides for itself.
  public func settingsOfNewTenants(of project: String) async throws -> ProjectSettings {
    var settings = try await settings(of: Scope(project: project)).inheritedByTenants
    settings.trust.extents = settings.trust.extents.filter { name, _ in
      !(providers[ProviderID(name)]?.manifest.configuration.contains(where: \.namesSubjects)
        ?? false)
    }
    return settings
  }

  /// Whether a tenant was opened.
  public func tenantExists(_ scope: Scope) async throws -> Bool {
    try await store.read { try $0.exists(scope) }
  }

  /// Removes a tenant with its accounts; throws `tenant-not-found`.
  public func deleteTenant(_ scope: Scope, by caller: Caller) async throws {
    try requireAdmin(caller)
    try caller.cannotRehearse("Removing a tenant")
    try await change(.deleteTenant, scope, by: caller) { writer in
      guard scope.tenant != nil, try writer.exists(scope) else {
        throw AuthError(
          .tenantNotFound, "There is no such tenant.", field: "tenantId",
          remedy: "Look at the list of tenants.", step: .decision)
      }
      try writer.apply([.deleteScope], in: scope)
    }
  }

  /// Removes every account of the caller's scope, as tests against the emulator do.
  public func deleteAllAccounts(by caller: Caller) async throws {
    try requireAdmin(caller)
    try caller.cannotRehearse("Deleting every account")
    try await change(.deleteAllAccounts, caller.scope, by: caller) {
      try $0.apply([.deleteAccounts], in: caller.scope)
    }
  }

  /// Changes a whole scope in one transaction with its event.
  private func change(
    _ action: Action, _ scope: Scope, by caller: Caller,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Void
  ) async throws {
    try caller.checkReason()
    let now = clock()
    let event = AuditEvent(
      id: newEventID(at: now), in: scope, by: caller, at: now, action: action, accountID: nil,
      details: ["tenant": .optional(scope.tenant)])
    try await store.write { writer in
      try body(writer)
      try writer.append(event)
    }
  }
}

extension AccountReader {
  /// Throws `tenant-not-found` for a tenant that was never opened, or was deleted.
  ///
  /// What makes rows in a tenant asks in its own transaction, so that none is left in a tenant that another server deletes
  /// meanwhile. Reading the settings in the same transaction answers this too.
  func requireTenant(_ scope: Scope) throws {
    guard scope.tenant != nil, try !exists(scope) else { return }
    throw AuthError(
      .tenantNotFound, "There is no such tenant.", field: "tenantId",
      remedy: "Look at the list of tenants, or open it first.", step: .decision)
  }
}
