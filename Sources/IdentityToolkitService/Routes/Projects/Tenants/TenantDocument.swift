import AuthCore
import IdentityToolkit

/// A tenant's settings as Firebase's `Tenant` resource.
enum TenantDocument {
  static let fields: [RouteField] = [
    "name", "displayName", .flag("allowPasswordSignup"), .flag("enableEmailLinkSignin"),
    .flag("enableAnonymousUser"), .flag("disableAuth"), MultiFactorDocument.field("mfaConfig"),
    .object("client"), .object("passwordPolicyConfig", [.list("passwordPolicyVersions")]),
    .object("emailPrivacyConfig"),
  ]

  static func value(_ settings: ProjectSettings, _ scope: Scope, isEmulator: Bool) -> JSONValue {
    let signIn = settings.signIn
    let id = scope.tenant ?? ""
    var document: [String: JSONValue] = [
      "name": .string("projects/\(scope.project)/tenants/\(id)"),
      "allowPasswordSignup": .bool(!signIn.closedProviders.contains(.password)),
      "enableEmailLinkSignin": .bool(!signIn.closedProviders.contains(.emailLink)),
      "enableAnonymousUser": .bool(!signIn.closedProviders.contains(.anonymous)),
      "disableAuth": .bool(signIn.isDisabled),
    ]
    document.put("displayName", signIn.displayName)
    if isEmulator {
      document["tenantId"] = .string(id)
      document["mfaConfig"] = MultiFactorDocument.short(signIn.multiFactor)
    } else {
      document["mfaConfig"] = MultiFactorDocument.value(settings)
      document["client"] = ["permissions": ConfigDocument.permissions(signIn)]
      document["passwordPolicyConfig"] = PasswordPolicyDocument.configuration(signIn.passwordPolicy)
      document["emailPrivacyConfig"] = [
        "enableImprovedEmailPrivacy": .bool(signIn.hidesAccounts)
      ]
    }
    return .object(document)
  }

  /// Makes settings what a whole document says; what it leaves out is off.
  static func write(
    _ document: JSONValue, to settings: inout ProjectSettings, isEmulator: Bool
  ) throws(WireError) {
    let tenant = try WireFields(document)
    settings.signIn.displayName = try tenant.filled("displayName")
    settings.signIn.set(.password, isOpen: try tenant.bool("allowPasswordSignup") ?? false)
    settings.signIn.set(.emailLink, isOpen: try tenant.bool("enableEmailLinkSignin") ?? false)
    settings.signIn.set(.anonymous, isOpen: try tenant.bool("enableAnonymousUser") ?? false)
    settings.signIn.isDisabled = try tenant.bool("disableAuth") ?? false
    guard !isEmulator else {
      try MultiFactorDocument.writeShort(
        tenant.object("mfaConfig"), to: &settings.signIn.multiFactor)
      return
    }
    try MultiFactorDocument.write(
      tenant.object("mfaConfig"), to: &settings, isEmulator: isEmulator)
    try ConfigDocument.writePermissions(tenant.object("client"), to: &settings.signIn)
    try PasswordPolicyDocument.write(
      tenant.object("passwordPolicyConfig"), to: &settings.signIn.passwordPolicy)
    if let hides = try tenant.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy") {
      settings.signIn.hidesAccounts = hides
    }
  }
}
