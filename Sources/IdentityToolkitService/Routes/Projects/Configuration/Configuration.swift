import AuthCore
import IdentityToolkit

/// The settings of a project (`v2/projects/{project}/config`).
extension Call {
  func configuration() async throws -> Answer {
    .json(ConfigDocument.value(try await settings(), self))
  }

  func updateConfiguration() async throws -> Answer {
    let mask = try UpdateMask(try query.text("updateMask"))
    let body = JSONValue.object(body.members).camelCased
    if !isEmulator, let unknown = mask.unknown(among: ConfigDocument.fields) {
      throw WireError.invalidPayload("Unknown name \"\(unknown)\": Cannot find field.")
    }
    let change = DocumentChange(mask: mask, body: body, isEmulator: isEmulator)
    // What cannot be is refused before anything is written.
    try rehearse(change)
    if !isEmulator { try await updateTestNumbers(body, mask) }
    let call = self
    _ = try await graph.changeSettings(by: caller) { settings in
      var changed = settings
      let document = change.applied(to: ConfigDocument.value(settings, call))
      if (try? ConfigDocument.write(document, to: &changed, isEmulator: call.isEmulator)) != nil {
        settings = changed
      }
    }
    try await passOnToTenants()
    return try await configuration()
  }

  private func rehearse(_ change: DocumentChange) throws {
    var settings = ProjectSettings()
    let document = change.applied(to: ConfigDocument.value(settings, self))
    try ConfigDocument.write(document, to: &settings, isEmulator: isEmulator)
  }

  /// Test numbers are the phone provider's, which checks them.
  private func updateTestNumbers(_ body: JSONValue, _ mask: UpdateMask) async throws {
    let path = "signIn.phoneNumber.testPhoneNumbers"
    let numbers = body["signIn"]?["phoneNumber"]?["testPhoneNumbers"]
    guard mask.isEmpty ? numbers != nil : mask.names(path) else { return }
    let known = try await settings().providers[ProviderID.phone.rawValue]?.values["testNumbers"]
    guard numbers != known else { return }
    do {
      _ = try await graph.configure(.phone, values: ["testNumbers": numbers ?? .null], by: caller)
    } catch let error as AuthError where error.code == .invalidArgument {
      throw WireError("INVALID_TESTING_PHONE_NUMBER", error.message)
    }
  }

  /// Tenants inherit what is the project's to say.
  private func passOnToTenants() async throws {
    let project = try await settings()
    let inheritsPrivacy = isEmulator
    try await forEachTenant { tenant in
      var caller = caller
      caller.scope = tenant
      let settings = try await graph.settings(of: tenant)
      let isSame =
        settings.oneAccountPerEmail == project.oneAccountPerEmail
        && settings.signIn.blockingFunctions == project.signIn.blockingFunctions
        && (!inheritsPrivacy || settings.signIn.hidesAccounts == project.signIn.hidesAccounts)
      guard !isSame else { return }
      _ = try await graph.changeSettings(by: caller) { settings in
        settings.oneAccountPerEmail = project.oneAccountPerEmail
        settings.signIn.blockingFunctions = project.signIn.blockingFunctions
        if inheritsPrivacy { settings.signIn.hidesAccounts = project.signIn.hidesAccounts }
      }
    }
  }

  /// Goes through every tenant of the project.
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

/// What a PATCH makes of a stored document.
struct DocumentChange: Sendable {
  let mask: UpdateMask
  let body: JSONValue
  let isEmulator: Bool

  /// Without a mask the emulator takes the body for the whole document; elsewhere what it holds is put over
  /// what there is, as Google's APIs do.
  func applied(to document: JSONValue) -> JSONValue {
    if !mask.isEmpty {
      return mask.applied(to: document, from: body, clearsMissing: !isEmulator)
    }
    return isEmulator ? body : document.merging(body)
  }
}
