import AuthCore
import IdentityToolkit

/// Operations and fields that the emulator documents but does not have.
extension EmulatorBehavior {
  func check(_ call: Call, for route: Route) throws {
    let body = call.body
    switch route.name {
    case let name where Self.missing.contains(name):
      throw Self.missing(name)
    case "identitytoolkit.accounts.lookup":
      if call.isPrivileged, try body.texts("initialEmail")?.isEmpty == false {
        throw WireError.notImplemented("Lookup by initialEmail is not implemented.")
      }
    case "identitytoolkit.accounts.signInWithCustomToken":
      if let token = try body.filled("token") {
        _ = try EmulatedCustomToken(token, tenant: call.tenant)
      }
    case "identitytoolkit.accounts.createAuthUri":
      if try body.filled("providerId") != nil {
        throw WireError.notImplemented("Sign-in with IDP is not yet supported.")
      }
    case "identitytoolkit.accounts.signInWithIdp":
      for name in ["returnRefreshToken", "pendingIdToken"] where isTruthy(body.value(name)) {
        throw Self.missing(name)
      }
    case "identitytoolkit.projects.queryAccounts", "identitytoolkit.projects.accounts.query",
      "identitytoolkit.projects.tenants.accounts.query":
      try checkQuery(body)
    default: break
    }
  }

  static func missing(_ what: String) -> WireError {
    .notImplemented("\(what) is not implemented in the Auth Emulator.")
  }

  private static let missing: Set<String> = {
    let names = [
      "getRecaptchaConfig", "getPasswordPolicy", "getSessionCookiePublicKeys",
      "accounts.revokeToken", "accounts.signInWithGameCenter", "accounts.issueSamlResponse",
      "accounts.verifyIosClient", "projects.identityPlatform.initializeAuth",
      "projects.tenants.getIamPolicy", "projects.tenants.setIamPolicy",
      "projects.tenants.testIamPermissions",
    ]
    // Settings of vendors and of OpenID providers work as in production.
    let providers = Route.identityProviders.map(\.name).filter {
      $0.hasPrefix("identitytoolkit.defaultSupportedIdps.") || $0.contains("inboundSamlConfigs")
    }
    return Set(names.map { "identitytoolkit.\($0)" } + providers)
  }()

  private func isTruthy(_ value: JSONValue?) -> Bool {
    ![nil, .null, .bool(false), .string(""), .integer(0)].contains(value)
  }

  private func checkQuery(_ body: WireFields) throws {
    if try body.objects("expression")?.isEmpty == false { throw Self.missing("expression") }
    let sortBy = try body.choice("sortBy", AccountQuery.sortFields) ?? AccountQuery.sortFields[0]
    _ = try body.choice("order", AccountQuery.orders)
    guard try body.bool("returnUserInfo") ?? true else { return }
    if try body.integer("limit") ?? 0 != 0 { throw Self.missing("limit") }
    if try body.integer("offset") ?? 0 != 0 { throw Self.missing("offset") }
    if ![AccountQuery.sortFields[0], "USER_ID"].contains(sortBy) {
      throw Self.missing("Sorting by \(sortBy)")
    }
  }
}
