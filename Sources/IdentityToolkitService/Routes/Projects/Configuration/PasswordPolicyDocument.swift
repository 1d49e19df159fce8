import AuthCore
import IdentityToolkit

/// The password policy, as Firebase's `PasswordPolicyConfig` and as clients see it.
enum PasswordPolicyDocument {
  private static let schemaVersion: Int64 = 1

  /// The policy as a field of a body.
  static let field = RouteField.object(
    "passwordPolicyConfig",
    [
      "passwordPolicyEnforcementState", .flag("forceUpgradeOnSignin"), "lastUpdateTime",
      .list(
        "passwordPolicyVersions", most: 20,
        of: [
          .number("schemaVersion"),
          .object(
            "customStrengthOptions",
            [
              .number("minPasswordLength"), .number("maxPasswordLength"),
              .flag("containsLowercaseCharacter"), .flag("containsUppercaseCharacter"),
              .flag("containsNumericCharacter"), .flag("containsNonAlphanumericCharacter"),
            ]),
        ]),
    ])

  /// Returns the rules by which clients check passwords before they send them (`v2/passwordPolicy`).
  static func published(_ policy: PasswordPolicy) -> JSONValue {
    [
      "customStrengthOptions": strength(policy),
      "allowedNonAlphanumericCharacters": .array(
        PasswordPolicy.symbols.map { .string(String($0)) }),
      "enforcementState": .string(policy.enforcement.rawValue),
      "forceUpgradeOnSignin": .bool(policy.appliesToSignIn),
      "schemaVersion": .integer(schemaVersion),
    ]
  }

  /// Returns the setting as an admin sees it.
  static func configuration(_ policy: PasswordPolicy) -> JSONValue {
    [
      "passwordPolicyEnforcementState": .string(policy.enforcement.rawValue),
      "forceUpgradeOnSignin": .bool(policy.appliesToSignIn),
      "passwordPolicyVersions": [
        ["customStrengthOptions": strength(policy), "schemaVersion": .integer(schemaVersion)]
      ],
    ]
  }

  private static func strength(_ policy: PasswordPolicy) -> JSONValue {
    [
      "minPasswordLength": .integer(Int64(policy.minimumLength)),
      "maxPasswordLength": .integer(Int64(policy.maximumLength)),
      "containsLowercaseCharacter": .bool(policy.needsLowercase),
      "containsUppercaseCharacter": .bool(policy.needsUppercase),
      "containsNumericCharacter": .bool(policy.needsDigit),
      "containsNonAlphanumericCharacter": .bool(policy.needsSymbol),
    ]
  }

  /// Writes the policy.
  ///
  /// Throws `INVALID_ARGUMENT` for lengths that Firebase does not allow.
  static func write(_ document: WireFields?, to policy: inout PasswordPolicy) throws(WireError) {
    var new = PasswordPolicy()
    let states = ["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]
    if let text = try document?.choice("passwordPolicyEnforcementState", states), text != states[0]
    {
      guard let enforcement = PasswordPolicy.Enforcement(rawValue: text) else {
        throw WireError("INVALID_ARGUMENT", "A password policy is OFF or ENFORCE.")
      }
      new.enforcement = enforcement
    }
    new.appliesToSignIn = try document?.bool("forceUpgradeOnSignin") ?? false
    let versions = try document?.objects("passwordPolicyVersions") ?? []
    guard versions.count <= 1 else {
      throw WireError("INVALID_ARGUMENT", "There is one version of a password policy.")
    }
    if let options = try versions.first?.object("customStrengthOptions") {
      new.minimumLength = Int(
        try length(options, "minPasswordLength", in: PasswordPolicy.minimumLengths) ?? 6)
      new.maximumLength = Int(
        try length(
          options, "maxPasswordLength",
          in: Int64(new.minimumLength)...PasswordPolicy.maximumLengths.upperBound) ?? 4096)
      new.needsLowercase = try options.bool("containsLowercaseCharacter") ?? false
      new.needsUppercase = try options.bool("containsUppercaseCharacter") ?? false
      new.needsDigit = try options.bool("containsNumericCharacter") ?? false
      new.needsSymbol = try options.bool("containsNonAlphanumericCharacter") ?? false
    }
    policy = new
  }

  private static func length(
    _ options: WireFields, _ name: String, in range: ClosedRange<Int64>
  ) throws(WireError) -> Int64? {
    guard let value = try options.integer(name) else { return nil }
    guard range.contains(value) else {
      throw WireError(
        "INVALID_ARGUMENT", "\(name) is from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }
}
