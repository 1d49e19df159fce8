import AuthCore
import IdentityToolkit

/// The tenants of a project (`v2/projects/{project}/tenants`).
extension Call {
  func createTenant() async throws -> Answer {
    guard tenant == nil else {
      throw WireError(
        "INVALID_ARGUMENT", "tenantId names a tenant; a new one gets an ID of its own.")
    }
    let document = JSONValue.object(body.members).camelCased
    var settings = try await graph.settingsOfNewTenants(of: project)
    try TenantDocument.write(document, to: &settings, isEmulator: isEmulator)
    let scope = try await graph.createTenant(in: project, settings: settings, by: caller)
    return .json(TenantDocument.value(settings, scope, isEmulator: isEmulator))
  }

  func tenantResource() async throws -> Answer {
    .json(TenantDocument.value(try await settings(), scope, isEmulator: isEmulator))
  }

  func listTenants() async throws -> Answer {
    let asked = try query.integer("pageSize") ?? 0
    let after = try PageToken(query.filled("pageToken"), isPlain: isEmulator)
    guard asked >= 0 || isEmulator else { throw WireError("INVALID_PAGE_SELECTION") }
    let limit = asked < 0 ? Int.max : asked == 0 ? 20 : Int(min(asked, 1000))
    var ids: [String] = []
    var last = after.last
    while ids.count < limit {
      let page = try await graph.tenants(
        of: project, after: last, limit: min(1000, limit - ids.count))
      ids += page
      last = page.last
      if page.isEmpty { break }
    }
    var tenants: [JSONValue] = []
    for id in ids {
      try Task.checkCancellation()
      let scope = Scope(project: project, tenant: id)
      tenants.append(
        TenantDocument.value(try await graph.settings(of: scope), scope, isEmulator: isEmulator))
    }
    var answer: [String: JSONValue] = ["tenants": .array(tenants)]
    if ids.count == limit, let end = ids.last {
      answer["nextPageToken"] = .string(PageToken(last: end, isPlain: isEmulator).text)
    }
    return .json(.object(answer))
  }

  func updateTenant() async throws -> Answer {
    let mask = try UpdateMask(try query.text("updateMask"))
    if !isEmulator, let unknown = mask.unknown(among: TenantDocument.fields) {
      throw WireError.invalidPayload("Unknown name \"\(unknown)\": Cannot find field.")
    }
    let body = JSONValue.object(body.members).camelCased
    let change = DocumentChange(mask: mask, body: body, isEmulator: isEmulator)
    let (scope, isEmulator) = (scope, isEmulator)
    var rehearsed = ProjectSettings()
    try TenantDocument.write(
      change.applied(to: TenantDocument.value(rehearsed, scope, isEmulator: isEmulator)),
      to: &rehearsed, isEmulator: isEmulator)
    _ = try await graph.changeSettings(by: caller) { settings in
      var changed = settings
      let document = change.applied(
        to: TenantDocument.value(settings, scope, isEmulator: isEmulator))
      if (try? TenantDocument.write(document, to: &changed, isEmulator: isEmulator)) != nil {
        settings = changed
      }
    }
    return try await tenantResource()
  }

  func removeTenant() async throws -> Answer {
    try await graph.deleteTenant(scope, by: caller)
    services.scopes.forget(scope)
    return .json([:])
  }
}
