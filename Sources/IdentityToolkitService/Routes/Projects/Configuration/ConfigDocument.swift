import AuthCore
import IdentityToolkit

/// A project's settings as Firebase's `Config` resource.
enum ConfigDocument {
  /// The fields of production's resource; those that have no setting here are kept.
  static let fields: [RouteField] =
    [
      "name", "subtype",
      .object(
        "signIn",
        [
          .object("email", [.flag("enabled"), .flag("passwordRequired")]),
          .object("phoneNumber", [.flag("enabled"), .map("testPhoneNumbers")]),
          .object("anonymous", [.flag("enabled")]), .flag("allowDuplicateEmails"),
          .object("hashConfig"),
        ]),
      MultiFactorDocument.field("mfa"), PasswordPolicyDocument.field, privacy,
      .list("authorizedDomains", most: RouteBounds.domains), client,
      .object(
        "blockingFunctions",
        [
          .map("triggers", most: 20),
          .object(
            "forwardInboundCredentials",
            [.flag("idToken"), .flag("accessToken"), .flag("refreshToken")]),
        ]),
    ] + KeptDocument.ofProjects

  /// The permissions of clients, as a field of a body; the other members are Google's own.
  static let client = RouteField.object(
    "client",
    [
      .object("permissions", [.flag("disabledUserSignup"), .flag("disabledUserDeletion")]),
      "apiKey", "firebaseSubdomain",
    ])

  /// The protection against enumeration, as a field of a body.
  static let privacy = RouteField.object(
    "emailPrivacyConfig", [.flag("enableImprovedEmailPrivacy")])

  static func value(_ settings: ProjectSettings, _ call: Call) -> JSONValue {
    let signIn = settings.signIn
    let closed = signIn.closedProviders
    var document: [String: JSONValue] = [
      "name": .string("projects/\(call.project)/config"),
      "signIn": [
        "email": [
          "enabled": .bool(!closed.contains(.password)),
          "passwordRequired": .bool(requiresPassword(settings)),
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
    KeptDocument.add(KeptDocument.ofProjects, of: settings, to: &document)
    if !signIn.linkDomains.isEmpty {
      let domains: JSONValue = .array(signIn.linkDomains.map(JSONValue.string))
      document["mobileLinksConfig"] =
        (document["mobileLinksConfig"] ?? [:]).merging(["linkDomains": domains])
    }
    return .object(document)
  }

  private static func phone(_ settings: ProjectSettings) -> [String: JSONValue] {
    var phone: [String: JSONValue] = [
      "enabled": .bool(!settings.signIn.closedProviders.contains(.phone))
    ]
    let numbers = settings.providers[ProviderID.phone.rawValue]?.values["testNumbers"]
    phone["testPhoneNumbers"] = numbers == [:] ? nil : numbers
    return phone
  }

  private static let linksWait = "emailLinksWait"

  /// Tells whether links in e-mails are closed for a reason of their own, besides closed passwords.
  private static func requiresPassword(_ settings: ProjectSettings) -> Bool {
    let closed = settings.signIn.closedProviders
    guard closed.contains(.password) else { return closed.contains(.emailLink) }
    return closed.contains(.emailLink) && !KeptDocument.isNoted(linksWait, in: settings)
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
    let wantsLinks = try email?.bool("passwordRequired") == false
    settings.signIn.set(.emailLink, isOpen: isEmailOpen && wantsLinks)
    KeptDocument.note(linksWait, !isEmailOpen && wantsLinks, in: &settings)
    settings.signIn.set(
      .phone, isOpen: try signIn?.object("phoneNumber")?.bool("enabled") ?? false)
    settings.signIn.set(
      .anonymous, isOpen: try signIn?.object("anonymous")?.bool("enabled") ?? false)
    try MultiFactorDocument.write(config.object("mfa"), to: &settings)
    try PasswordPolicyDocument.write(
      config.object("passwordPolicyConfig"), to: &settings.signIn.passwordPolicy)
    settings.signIn.authorizedDomains = try config.texts("authorizedDomains") ?? []
    try writePermissions(config.object("client"), to: &settings.signIn)
    settings.signIn.linkDomains =
      try config.object("mobileLinksConfig")?.texts("linkDomains") ?? []
    KeptDocument.write(KeptDocument.ofProjects, of: config, to: &settings)
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
