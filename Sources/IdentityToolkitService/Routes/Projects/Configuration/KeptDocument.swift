import AuthCore
import IdentityToolkit

/// The members of Google's `Config` and `Tenant` resources that have no setting here.
///
/// They are checked, kept and given back. Anything else is refused, so that a misspelt name is noticed.
enum KeptDocument {
  /// The members of a project's document.
  static let ofProjects =
    [recaptcha, smsRegions, mobileLinks, notification, quota, monitoring]
    + [.flag("autodeleteAnonymousUsers"), multiTenant]
  /// The members of a tenant's document.
  static let ofTenants =
    [recaptcha, smsRegions, mobileLinks, monitoring]
    + [.flag("autodeleteAnonymousUsers"), .object("inheritance", [.flag("emailSendingConfig")])]

  private static let enforcement = [
    "RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "AUDIT", "ENFORCE",
  ]

  private static func enforcement(_ name: String) -> RouteField {
    .choice(name, "admin.v2.RecaptchaProviderEnforcementState", enforcement)
  }

  private static let action = RouteField.choice(
    "action", "admin.v2.RecaptchaAction", ["RECAPTCHA_ACTION_UNSPECIFIED", "BLOCK"])

  private static let recaptcha = RouteField.object(
    "recaptchaConfig",
    [
      enforcement("emailPasswordEnforcementState"), enforcement("phoneEnforcementState"),
      .flag("useAccountDefender"), .flag("useSmsBotScore"), .flag("useSmsTollFraudProtection"),
      .list("managedRules", most: 20, of: [.decimal("endScore"), action]),
      .list("tollFraudManagedRules", most: 20, of: [.decimal("startScore"), action]),
      .list(
        "recaptchaKeys", most: 100,
        of: [
          "key",
          .choice(
            "type", "admin.v2.RecaptchaKeyClientType",
            [
              "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID",
              "CLIENT_TYPE_IOS",
            ]),
        ]),
    ])

  private static let smsRegions = RouteField.object(
    "smsRegionConfig",
    [
      .object("allowByDefault", [.list("disallowedRegions", most: 300)]),
      .object("allowlistOnly", [.list("allowedRegions", most: 300)]),
    ])

  private static let mobileLinks = RouteField.object(
    "mobileLinksConfig",
    [
      .choice(
        "domain", "admin.v2.MobileLinksConfig.Domain",
        ["DOMAIN_UNSPECIFIED", "FIREBASE_DYNAMIC_LINK_DOMAIN", "HOSTING_DOMAIN"]),
      .list("linkDomains", most: RouteBounds.domains),
    ])

  private static let template =
    [
      "senderLocalPart", "subject", "senderDisplayName", "body", "bodyFormat", "replyTo",
      .flag("customized"),
    ] as [RouteField]

  // A mail server's settings hold a password, so they are not kept.
  private static let notification = RouteField.object(
    "notification",
    [
      .object(
        "sendEmail",
        [
          "method", .object("resetPasswordTemplate", template),
          .object("verifyEmailTemplate", template), .object("changeEmailTemplate", template),
          .object("legacyResetPasswordTemplate", template), "callbackUri",
          .object("revertSecondFactorAdditionTemplate", template),
        ]),
      .object("sendSms", [.flag("useDeviceLocale"), .object("smsTemplate", ["content"])]),
      "defaultLocale",
    ])

  private static let quota = RouteField.object(
    "quota",
    [.object("signUpQuotaConfig", [.number("quota"), "startTime", "quotaDuration"])])

  private static let monitoring = RouteField.object(
    "monitoring", [.object("requestLogging", [.flag("enabled")])])

  private static let multiTenant = RouteField.object(
    "multiTenant", [.flag("allowTenants"), "defaultTenantLocation"])
}

extension KeptDocument {
  /// Adds the kept members to a document.
  static func add(
    _ fields: [RouteField], of settings: ProjectSettings, to document: inout [String: JSONValue]
  ) {
    let kept = KeptMembers(settings).members
    for name in fields.names { document[name] = kept[name] ?? document[name] }
  }

  /// Keeps the members of a whole document; those that it lacks are removed.
  ///
  /// The domains of a project's links are a setting of their own. A tenant keeps its domains, because the setting is the
  /// project's if it has none.
  static func write(
    _ fields: [RouteField], of document: WireFields, keepsLinkDomains: Bool = false,
    to settings: inout ProjectSettings
  ) {
    var kept = KeptMembers(settings)
    for name in fields.names { kept.members[name] = document.value(name) }
    if !keepsLinkDomains, case .object(var links)? = kept.members["mobileLinksConfig"] {
      links["linkDomains"] = nil
      kept.members["mobileLinksConfig"] = links.isEmpty ? nil : .object(links)
    }
    // What a document says unasked is nothing to keep.
    if kept.members["multiTenant"] == ["allowTenants": true] { kept.members["multiTenant"] = nil }
    settings.keep(kept)
  }

  /// Notes which parts of a tenant's document were set, so that the others stay out of it as in Firebase.
  static func note(_ names: [String], of document: WireFields, in settings: inout ProjectSettings) {
    var kept = KeptMembers(settings)
    for name in names where document.value(name) != nil { kept.members[name] = [:] }
    settings.keep(kept)
  }

  /// Notes whether a document says something that the settings alone do not tell.
  static func note(_ name: String, _ isSaid: Bool, in settings: inout ProjectSettings) {
    var kept = KeptMembers(settings)
    kept.members[name] = isSaid ? [:] : nil
    settings.keep(kept)
  }

  /// Returns a tenant's own domains of links; nil if it has those of its project.
  static func linkDomains(of tenant: ProjectSettings) -> [String]? {
    guard let domains = KeptMembers(tenant).members["mobileLinksConfig"]?["linkDomains"],
      case .array(let items) = domains, !items.isEmpty
    else { return nil }
    return items.compactMap(\.stringValue)
  }

  /// Tells whether a part of a tenant's document was ever set.
  static func isNoted(_ name: String, in settings: ProjectSettings) -> Bool {
    KeptMembers(settings).members[name] != nil
  }

  /// Returns the document without the list of regions that a change replaces by one of the other kind.
  static func choosing(_ document: JSONValue, by change: JSONValue) -> JSONValue {
    let kinds = ["allowByDefault", "allowlistOnly"]
    let chosen = kinds.filter { change["smsRegionConfig"]?[$0] != nil }
    guard chosen.count == 1, case .object(var members) = document,
      case .object(var regions)? = members["smsRegionConfig"]
    else { return document }
    for kind in kinds where kind != chosen[0] { regions[kind] = nil }
    members["smsRegionConfig"] = .object(regions)
    return .object(members)
  }
}
