extension AccountGraph {
  /// Creates a tenant with settings of its own.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, or `invalid-argument` for an ID that is taken or has
  /// other characters than letters, digits and hyphens.
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
    let policies = policies
    try await change(.createTenant, scope, by: caller) { writer, event in
      guard try !writer.exists(scope) else {
        throw AuthError(
          .invalidArgument, "There is such a tenant already.", field: "tenantId",
          remedy: "Choose another ID, or leave it out.", step: .decision)
      }
      // The subjects of the project's providers belong to the project's own accounts.
      var own = settings
      own.subjects = [:]
      // The history of a tenant's policies is its own, and begins with the inherited one.
      (own.policyTrial, own.policyVersions) = (nil, nil)
      var register = PolicyRegister(
        ProjectSettings(), of: policies, at: Moment(now: event.at, eventID: event.id), by: caller)
      register.follow(own)
      try writer.save(register.settings, for: scope)
      try writer.apply(try register.added.map { try $0.write() }, in: scope)
    }
    return scope
  }

  /// Returns a page of tenant IDs, in order, after `after`.
  public func tenants(of project: String, after: String?, limit: Int) async throws -> [String] {
    try await store.read { try $0.tenants(of: project, after: after, limit: limit) }
  }

  /// Creates a tenant with the settings of its project, unless it exists; returns true if it was created.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, or `invalid-argument` for an invalid ID.
  @discardableResult
  public func openTenant(_ scope: Scope, by caller: Caller) async throws -> Bool {
    guard let tenant = scope.tenant, try await !tenantExists(scope) else { return false }
    _ = try await createTenant(
      tenant, in: scope.project, settings: try await settingsOfNewTenants(of: scope.project),
      by: caller)
    return true
  }

  /// Returns the settings of a new tenant: those of the project, except the providers, whose secrets are sealed for it.
  ///
  /// Trust in a provider whose name an admin binds to an issuer is not inherited, because each scope decides on it.
  public func settingsOfNewTenants(of project: String) async throws -> ProjectSettings {
    var settings = try await settings(of: Scope(project: project)).inheritedByTenants
    settings.trust.extents = settings.trust.extents.filter { name, _ in
      !(providers[ProviderID(name)]?.manifest.configuration.contains(where: \.namesSubjects)
        ?? false)
    }
    return settings
  }

  /// Tells whether a tenant exists.
  public func tenantExists(_ scope: Scope) async throws -> Bool {
    try await store.read { try $0.exists(scope) }
  }

  /// Deletes a tenant with its accounts, or throws `tenant-not-found`.
  public func deleteTenant(_ scope: Scope, by caller: Caller) async throws {
    try requireAdmin(caller)
    try caller.cannotRehearse("Removing a tenant")
    try await change(.deleteTenant, scope, by: caller) { writer, _ in
      guard scope.tenant != nil, try writer.exists(scope) else {
        throw AuthError(
          .tenantNotFound, "There is no such tenant.", field: "tenantId",
          remedy: "Look at the list of tenants.", step: .decision)
      }
      try writer.apply([.deleteScope], in: scope)
    }
  }

  /// Deletes every account of the caller's scope, as tests against the emulator do.
  public func deleteAllAccounts(by caller: Caller) async throws {
    try requireAdmin(caller)
    try caller.cannotRehearse("Deleting every account")
    try await change(.deleteAllAccounts, caller.scope, by: caller) { writer, _ in
      let removals =
        try writer.removals(in: caller.scope) + TransferRecord.removals(writer, in: caller.scope)
      try writer.apply([.deleteAccounts] + removals, in: caller.scope)
    }
  }

  /// Changes a whole scope in one transaction with its event.
  private func change(
    _ action: Action, _ scope: Scope, by caller: Caller,
    _ body: @escaping @Sendable (any AccountWriter, AuditEvent) throws -> Void
  ) async throws {
    try caller.checkReason()
    let now = clock()
    let event = AuditEvent(
      id: newEventID(at: now), in: scope, by: caller, at: now, action: action, accountID: nil,
      details: ["tenant": .optional(scope.tenant)])
    try await store.write { writer in
      try body(writer, event)
      try writer.append(event)
    }
  }
}

extension AccountReader {
  /// Throws `tenant-not-found` for a tenant that does not exist.
  ///
  /// A transaction that adds rows to a tenant calls it, so that no row is left in a tenant that another server deletes.
  /// Reading the settings in the same transaction has the same effect.
  func requireTenant(_ scope: Scope) throws {
    guard scope.tenant != nil, try !exists(scope) else { return }
    throw AuthError(
      .tenantNotFound, "There is no such tenant.", field: "tenantId",
      remedy: "Look at the list of tenants, or open it first.", step: .decision)
  }
}
