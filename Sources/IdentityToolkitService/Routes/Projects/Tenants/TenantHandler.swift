import AuthCore
import IdentityToolkit

/// The tenants of a project (`v2/projects/{project}/tenants`).
struct TenantHandler: RequestHandler {
  let call: Call

  func create() async throws -> Answer {
    guard tenant == nil else {
      throw WireError(
        "INVALID_ARGUMENT", "tenantId names a tenant; a new one gets an ID of its own.")
    }
    try behavior.refuseUnknown(in: body, among: TenantDocument.fields)
    let document = JSONValue.object(body.members).camelCased
    var settings = try await graph.settingsOfNewTenants(of: project)
    try behavior.write(tenant: document, to: &settings)
    try behavior.take(
      testNumbers: document["testPhoneNumbers"], to: &settings, graph.providers)
    let scope = try await graph.createTenant(in: project, settings: settings, by: caller)
    return .json(behavior.document(ofTenant: settings, scope))
  }

  func document() async throws -> Answer {
    .json(behavior.document(ofTenant: try await settings(), scope))
  }

  func list() async throws -> Answer {
    let asked = try query.integer("pageSize") ?? 0
    var last = try behavior.start(ofPage: query.filled("pageToken"))
    let limit = try behavior.limit(ofTenants: asked)
    var ids: [String] = []
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
        behavior.document(ofTenant: try await graph.settings(of: scope), scope))
    }
    var answer: [String: JSONValue] = ["tenants": .array(tenants)]
    if ids.count == limit, let end = ids.last {
      answer["nextPageToken"] = .string(behavior.page(after: end))
    }
    return .json(.object(answer))
  }

  func update() async throws -> Answer {
    let (scope, behavior) = (scope, behavior)
    let change = try DocumentChange(of: TenantDocument.fields, call)
    let domains = try await graph.settings(of: Scope(project: project)).signIn.linkDomains
    try await change.carryOut(
      call, before: { try await behavior.writeFurther(change, ConfigurationHandler(call)) },
      read: { behavior.document(ofTenant: $0, scope) },
      write: { document, settings throws(WireError) in
        let had = KeptDocument.linkDomains(of: settings) != nil
        try behavior.write(tenant: document, to: &settings)
        if had, KeptDocument.linkDomains(of: settings) == nil {
          settings.signIn.linkDomains = domains
        }
      })
    return try await document()
  }

  func remove() async throws -> Answer {
    try await graph.deleteTenant(scope, by: caller)
    services.scopes.forget(scope)
    return .json([:])
  }
}
