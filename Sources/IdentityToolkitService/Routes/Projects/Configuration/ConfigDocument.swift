import AuthCore
import IdentityToolkit

/// A project's settings as Firebase's `Config` resource.
enum ConfigDocument {
  /// The supported fields of production's resource.
  ///
  /// The other fields of Google's are refused, so that none is silently lost.
  static let fields: [RouteField] = [
    "name", .object("signIn"), MultiFactorDocument.field("mfa"),
    .object("passwordPolicyConfig", [.list("passwordPolicyVersions")]),
    .object("emailPrivacyConfig"), .list("authorizedDomains", most: RouteBounds.domains),
    .object("client"), .object("blockingFunctions"), .object("multiTenant"),
  ]

  static func value(_ settings: ProjectSettings, _ call: Call) -> JSONValue {
    let signIn = settings.signIn
    let closed = signIn.closedProviders
    return [
      "name": .string("projects/\(call.project)/config"),
      "signIn": [
        "email": [
          "enabled": .bool(!closed.contains(.password)),
          "passwordRequired": .bool(closed.contains(.emailLink)),
        ],
        "phoneNumber": .object(phone(settings)),
        "anonymous": ["enabled": .bool(!closed.contains(.anonymous))],
        "allowDuplicateEmails": .bool(!settings.oneAccountPerEmail),
      ],
      "mfa": MultiFactorDocument.value(settings),
      "passwordPolicyConfig": PasswordPolicyDocument.configuration(signIn.passwordPolicy),
      "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(signIn.hidesAccounts)],
      "authorizedDomains": .array(
        authorizedDomains(settings, call.services.settings).map(JSONValue.string)),
      "client": ["permissions": permissions(signIn)],
      "blockingFunctions": BlockingFunctionsDocument.value(signIn.blockingFunctions),
      "multiTenant": ["allowTenants": true],
    ]
  }

  private static func phone(_ settings: ProjectSettings) -> [String: JSONValue] {
    var phone: [String: JSONValue] = [
      "enabled": .bool(!settings.signIn.closedProviders.contains(.phone))
    ]
    if let numbers = settings.providers[ProviderID.phone.rawValue]?.values["testNumbers"] {
      phone["testPhoneNumbers"] = numbers
    }
    return phone
  }

  static func permissions(_ signIn: SignInSettings) -> JSONValue {
    [
      "disabledUserSignup": .bool(!signIn.allowsSignUp),
      "disabledUserDeletion": .bool(!signIn.allowsDeletion),
    ]
  }

  /// Returns the project's domains, which always include this machine's own name.
  static func authorizedDomains(
    _ settings: ProjectSettings, _ server: ServerSettings
  ) -> [String] {
    let domains = settings.signIn.authorizedDomains
    return domains.contains("localhost") ? domains : ["localhost"] + domains
  }

  /// Replaces the settings with those of a whole document.
  ///
  /// A missing field gets its default.
  static func write(
    _ document: JSONValue, to settings: inout ProjectSettings
  ) throws(WireError) {
    let config = try WireFields(document)
    let signIn = try config.object("signIn")
    try writeShared(config, to: &settings)
    let email = try signIn?.object("email")
    let isEmailOpen = try email?.bool("enabled") ?? false
    settings.signIn.set(.password, isOpen: isEmailOpen)
    settings.signIn.set(
      .emailLink, isOpen: isEmailOpen ? try email?.bool("passwordRequired") == false : false)
    settings.signIn.set(
      .phone, isOpen: try signIn?.object("phoneNumber")?.bool("enabled") ?? false)
    settings.signIn.set(
      .anonymous, isOpen: try signIn?.object("anonymous")?.bool("enabled") ?? false)
    try MultiFactorDocument.write(config.object("mfa"), to: &settings)
    try PasswordPolicyDocument.write(
      config.object("passwordPolicyConfig"), to: &settings.signIn.passwordPolicy)
    settings.signIn.authorizedDomains = try config.texts("authorizedDomains") ?? []
    try writePermissions(config.object("client"), to: &settings.signIn)
  }

  /// Writes the settings that tenants inherit from their project, and the privacy of e-mail addresses.
  static func writeShared(
    _ config: WireFields, to settings: inout ProjectSettings
  ) throws(WireError) {
    let signIn = try config.object("signIn")
    settings.oneAccountPerEmail = try signIn?.bool("allowDuplicateEmails") != true
    try BlockingFunctionsDocument.write(
      config.object("blockingFunctions"), to: &settings.signIn.blockingFunctions)
    let privacy = try config.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
    settings.signIn.hidesAccounts = privacy ?? false
  }

  static func writePermissions(
    _ client: WireFields?, to signIn: inout SignInSettings
  ) throws(WireError) {
    let permissions = try client?.object("permissions")
    signIn.allowsSignUp = try permissions?.bool("disabledUserSignup") != true
    signIn.allowsDeletion = try permissions?.bool("disabledUserDeletion") != true
  }
}

extension SignInSettings {
  /// Opens or closes a provider.
  mutating func set(_ provider: ProviderID, isOpen: Bool) {
    if isOpen {
      closedProviders.remove(provider)
    } else {
      closedProviders.insert(provider)
    }
  }
}
