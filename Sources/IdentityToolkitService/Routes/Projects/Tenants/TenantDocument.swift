import AuthCore
import IdentityToolkit

/// A tenant's settings as Firebase's `Tenant` resource.
enum TenantDocument {
  static let fields: [RouteField] =
    [
      "name", "displayName", .flag("allowPasswordSignup"), .flag("enableEmailLinkSignin"),
      .flag("enableAnonymousUser"), .flag("disableAuth"), MultiFactorDocument.field("mfaConfig"),
      ConfigDocument.client, PasswordPolicyDocument.field, ConfigDocument.privacy,
      .map("testPhoneNumbers"), .object("hashConfig"),
    ] + KeptDocument.ofTenants

  private static let noted = ["passwordPolicyConfig", "emailPrivacyConfig"]

  /// Returns the document, without a policy or a protection that was never set.
  static func value(_ settings: ProjectSettings, _ scope: Scope) -> JSONValue {
    let signIn = settings.signIn
    var document = shared(signIn, scope)
    document["mfaConfig"] = MultiFactorDocument.value(settings)
    document["client"] = ["permissions": ConfigDocument.permissions(signIn)]
    if signIn.passwordPolicy != PasswordPolicy() || KeptDocument.isNoted(noted[0], in: settings) {
      document[noted[0]] = PasswordPolicyDocument.configuration(signIn.passwordPolicy)
    }
    if !signIn.hidesAccounts || KeptDocument.isNoted(noted[1], in: settings) {
      document[noted[1]] = ["enableImprovedEmailPrivacy": .bool(signIn.hidesAccounts)]
    }
    let numbers = settings.providers[ProviderID.phone.rawValue]?.values["testNumbers"]
    document["testPhoneNumbers"] = numbers == [:] ? nil : numbers
    KeptDocument.add(KeptDocument.ofTenants, of: settings, to: &document)
    return .object(document)
  }

  /// Returns the tenant's name and its open providers.
  static func shared(_ signIn: SignInSettings, _ scope: Scope) -> [String: JSONValue] {
    var document: [String: JSONValue] = [
      "name": .string("projects/\(scope.project)/tenants/\(scope.tenant ?? "")"),
      "allowPasswordSignup": .bool(!signIn.closedProviders.contains(.password)),
      "enableEmailLinkSignin": .bool(!signIn.closedProviders.contains(.emailLink)),
      "enableAnonymousUser": .bool(!signIn.closedProviders.contains(.anonymous)),
      "disableAuth": .bool(signIn.isDisabled),
    ]
    document.put("displayName", signIn.displayName)
    return document
  }

  /// Replaces the settings with those of a whole document.
  ///
  /// A missing field is off.
  static func write(
    _ document: JSONValue, to settings: inout ProjectSettings
  ) throws(WireError) {
    let tenant = try WireFields(document)
    try writeShared(tenant, to: &settings.signIn)
    try MultiFactorDocument.write(tenant.object("mfaConfig"), to: &settings)
    try ConfigDocument.writePermissions(tenant.object("client"), to: &settings.signIn)
    try PasswordPolicyDocument.write(
      tenant.object("passwordPolicyConfig"), to: &settings.signIn.passwordPolicy)
    if let hides = try tenant.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy") {
      settings.signIn.hidesAccounts = hides
    }
    let domains = KeptDocument.linkDomains(of: settings)
    KeptDocument.write(
      KeptDocument.ofTenants, of: tenant, keepsLinkDomains: true, to: &settings)
    // Domains that an admin set in the console stay if the document does not change them.
    if let own = KeptDocument.linkDomains(of: settings), own != domains {
      settings.signIn.linkDomains = own
    }
    KeptDocument.note(noted, of: tenant, in: &settings)
  }

  /// Writes the tenant's name and its open providers.
  static func writeShared(
    _ tenant: WireFields, to signIn: inout SignInSettings
  ) throws(WireError) {
    signIn.displayName = try tenant.filled("displayName")
    signIn.set(.password, isOpen: try tenant.bool("allowPasswordSignup") ?? false)
    signIn.set(.emailLink, isOpen: try tenant.bool("enableEmailLinkSignin") ?? false)
    signIn.set(.anonymous, isOpen: try tenant.bool("enableAnonymousUser") ?? false)
    signIn.isDisabled = try tenant.bool("disableAuth") ?? false
  }
}
