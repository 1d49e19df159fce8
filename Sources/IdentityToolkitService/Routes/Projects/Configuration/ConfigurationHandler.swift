import AuthCore
import IdentityToolkit

/// The settings of a project (`v2/projects/{project}/config`).
struct ConfigurationHandler: RequestHandler {
  let call: Call

  func document() async throws -> Answer {
    .json(behavior.document(ofProject: try await settings(), call))
  }

  func update() async throws -> Answer {
    let change = try DocumentChange(of: ConfigDocument.fields, call)
    try await change.carryOut(
      call,
      before: { try await behavior.writeFurther(change, self) },
      read: { behavior.document(ofProject: $0, call) },
      write: { document, settings throws(WireError) in
        try behavior.write(project: document, to: &settings)
      })
    try await passOnToTenants()
    return try await document()
  }

  /// Updates the test numbers, which the phone provider stores and checks.
  func updateTestNumbers(_ change: DocumentChange) async throws {
    let isProject = tenant == nil
    let path = isProject ? "signIn.phoneNumber.testPhoneNumbers" : "testPhoneNumbers"
    let place = isProject ? change.body["signIn"]?["phoneNumber"] : change.body
    let numbers = place?["testPhoneNumbers"]
    guard change.mask.isEmpty ? numbers != nil : change.mask.names(path) else { return }
    let known = try await settings().providers[ProviderID.phone.rawValue]?.values["testNumbers"]
    guard numbers != known else { return }
    do {
      _ = try await graph.configure(.phone, values: ["testNumbers": numbers ?? .null], by: caller)
    } catch let error as AuthError where error.code == .invalidArgument {
      throw WireError("INVALID_TESTING_PHONE_NUMBER", error.message)
    }
  }

  /// Copies the settings that tenants inherit from the project.
  private func passOnToTenants() async throws {
    let (project, behavior) = (try await settings(), behavior)
    try await forEachTenant { tenant in
      var caller = caller
      caller.scope = tenant
      let settings = try await graph.settings(of: tenant)
      var changed = settings
      behavior.pass(from: project, to: &changed)
      guard changed != settings else { return }
      _ = try await graph.changeSettings(by: caller) { behavior.pass(from: project, to: &$0) }
    }
  }

  /// Calls `body` for every tenant of the project.
  func forEachTenant(_ body: (Scope) async throws -> Void) async throws {
    var last: String?
    while true {
      try Task.checkCancellation()
      let page = try await graph.tenants(of: project, after: last, limit: 100)
      for tenant in page { try await body(Scope(project: project, tenant: tenant)) }
      guard page.count == 100, let end = page.last else { return }
      last = end
    }
  }
}

/// The change that a PATCH makes to a stored document.
struct DocumentChange: Sendable {
  let mask: UpdateMask
  let body: JSONValue

  /// Reads a request's change to a document with these fields.
  init(of fields: [RouteField], _ call: Call) throws {
    mask = try UpdateMask(try call.query.text("updateMask"))
    try call.behavior.refuse(unknown: mask.unknown(among: fields))
    try call.behavior.refuseUnknown(in: call.body, among: fields)
    body = JSONValue.object(call.body.members).camelCased
  }

  /// Changes the settings of a call's scope, by its whole document.
  ///
  /// Invalid values are refused before anything is written.
  func carryOut(
    _ call: Call, before: () async throws -> Void = {},
    read: @escaping @Sendable (ProjectSettings) -> JSONValue,
    write: @escaping @Sendable (JSONValue, inout ProjectSettings) throws(WireError) -> Void
  ) async throws {
    let behavior = call.behavior
    var rehearsed = ProjectSettings()
    try write(behavior.changed(read(rehearsed), by: self), &rehearsed)
    try await before()
    _ = try await call.graph.changeSettings(by: call.caller) { settings in
      var changed = settings
      if (try? write(behavior.changed(read(settings), by: self), &changed)) != nil {
        settings = changed
      }
    }
  }
}
