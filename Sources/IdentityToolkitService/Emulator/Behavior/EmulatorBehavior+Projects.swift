import AuthCore
import IdentityToolkit

extension EmulatorBehavior {
  func information(_ handler: ProjectHandler) async throws -> [String: JSONValue] {
    ["authorizedDomains": ["localhost"]]
  }

  func document(ofProject settings: ProjectSettings, _ call: Call) -> JSONValue {
    var document: [String: JSONValue] = [
      "signIn": ["allowDuplicateEmails": .bool(!settings.oneAccountPerEmail)],
      "blockingFunctions": BlockingFunctionsDocument.value(settings.signIn.blockingFunctions),
      "emailPrivacyConfig": [
        "enableImprovedEmailPrivacy": .bool(settings.signIn.hidesAccounts)
      ],
    ]
    document["mfa"] = EmulatedFactors.value(settings)
    return .object(document)
  }

  /// Repeats the tenant's name, and lists phones as the only second factor.
  func document(ofTenant settings: ProjectSettings, _ scope: Scope) -> JSONValue {
    let factors = settings.signIn.multiFactor
    var document = TenantDocument.shared(settings.signIn, scope)
    document["tenantId"] = .string(scope.tenant ?? "")
    document["mfaConfig"] = [
      "state": .string(factors.statedState ?? factors.state.rawValue),
      "enabledProviders": EmulatedFactors.providers(factors),
    ]
    return .object(document)
  }

  func write(project document: JSONValue, to settings: inout ProjectSettings) throws(WireError) {
    let config = try WireFields(document)
    try ConfigDocument.writeShared(config, to: &settings)
    let factors = try config.object("mfa")
    guard factors != nil || settings.signIn.multiFactor.statedState != nil else { return }
    settings.signIn.multiFactor = try EmulatedFactors.read(factors)
    try MultiFactorDocument.writeApps(factors, to: &settings)
  }

  /// Treats `MANDATORY` as `ENABLED`, which has the same effect here, and gives it back as it was given.
  func write(tenant document: JSONValue, to settings: inout ProjectSettings) throws(WireError) {
    let tenant = try WireFields(document)
    try TenantDocument.writeShared(tenant, to: &settings.signIn)
    let factors = try tenant.object("mfaConfig")
    settings.signIn.multiFactor.state =
      try MultiFactorDocument.state(factors, mandatory: .enabled) ?? .disabled
    let listed = try factors?.texts("enabledProviders") ?? []
    settings.signIn.multiFactor.allowsPhone = listed.contains(MultiFactorDocument.phone)
    settings.signIn.multiFactor.allowsTOTP = false
    settings.signIn.multiFactor.statedState = try MultiFactorDocument.stated(factors)
    settings.signIn.multiFactor.statedProviders = listed.joined(separator: ",")
  }

  /// Replaces the whole document if the body has no mask.
  func changed(_ document: JSONValue, by change: DocumentChange) -> JSONValue {
    change.mask.isEmpty
      ? change.body
      : change.mask.applied(to: document, from: change.body, clearsMissing: false)
  }

  func writeFurther(_ change: DocumentChange, _ handler: ConfigurationHandler) async throws {}

  func pass(from project: ProjectSettings, to tenant: inout ProjectSettings) {
    tenant.oneAccountPerEmail = project.oneAccountPerEmail
    tenant.signIn.blockingFunctions = project.signIn.blockingFunctions
    tenant.signIn.hidesAccounts = project.signIn.hidesAccounts
  }

  // The token of a page is the name that the page begins after.
  func start(ofPage token: String?) throws(WireError) -> String? { token }
  func page(after last: String) -> String { last }

  func limit(ofDownload asked: Int64) throws(WireError) -> Int? {
    asked == -1 ? nil : try ProductionBehavior().limit(ofDownload: asked)
  }

  func limit(ofTenants asked: Int64) throws(WireError) -> Int {
    asked < 0 ? .max : try ProductionBehavior().limit(ofTenants: asked)
  }

  var queryLimit: Int? { nil }
}
