/// The rule that decides one field of a merged account.
public enum FieldRule: Hashable, Sendable {
  /// The survivor's value, or the other's if the survivor has none.
  case keep
  /// The other's value, or the survivor's if the other has none.
  case theirs
  /// The value of the account created later, if it has one.
  case newest
  /// The value of the account created earlier, if it has one.
  case oldest
  /// Both maps or lists joined; if both have a name, the survivor's value wins.
  case union
  /// Both maps joined; the merge is refused if both have a name with different values.
  case unionOrRefuse
  /// The verified address; the survivor's if both or neither are verified.
  ///
  /// If neither is verified and a second factor guards the result, there is no address, because its owner could not get
  /// past the factor.
  case verified
  /// The value that was set last, as far as the accounts show it; the survivor's if both were set at once.
  ///
  /// See ``Account/lastSet(_:)``.
  case lastSet
  /// The address is verified if either account has verified it; the default of `emailVerified`, as far as the account
  /// with the address has proven it.
  case either
  /// The address is verified only if both accounts have verified it.
  case both
  /// A value that a policy computed.
  case value(JSONValue)

  /// The names of the rules in Lua, without that of a computed value.
  public static let names = [
    "keep", "theirs", "newest", "oldest", "last-set", "union", "union-or-refuse", "verified",
    "either", "both",
  ]

  /// Reads a rule by its name in Lua, or throws `invalid-argument`.
  public init(name: String, field: MergeField) throws(AuthError) {
    switch name {
    case "keep": self = .keep
    case "theirs": self = .theirs
    case "newest": self = .newest
    case "oldest": self = .oldest
    case "union": self = .union
    case "union-or-refuse": self = .unionOrRefuse
    case "verified": self = .verified
    case "last-set": self = .lastSet
    case "either": self = .either
    case "both": self = .both
    default:
      throw AuthError(
        .invalidArgument, "There is no field rule \"\(name)\".", field: field.rawValue,
        remedy: suggestion(for: name, among: Self.names))
    }
    if field == .emailVerified, ![.keep, .theirs, .either, .both].contains(self) {
      throw AuthError(
        .invalidArgument, "emailVerified has no rule \"\(name)\".", field: field.rawValue,
        remedy: "Use either, both, keep or theirs; no rule verifies an address that nobody proved.")
    }
    if self == .either || self == .both, field != .emailVerified {
      throw AuthError(
        .invalidArgument, "Only emailVerified can be \(name), not \(field.rawValue).",
        field: field.rawValue, remedy: "Use keep, theirs, newest or oldest.")
    }
    if self == .lastSet, !field.hasTimeOfValue {
      throw AuthError(
        .invalidArgument, "Nothing says when \(field.rawValue) was set.", field: field.rawValue,
        remedy: "Use keep, theirs, newest or oldest.")
    }
    if self == .verified && field != .email {
      throw AuthError(
        .invalidArgument, "Only email can be verified, not \(field.rawValue).",
        field: field.rawValue, remedy: "Use keep, theirs, newest or oldest.")
    }
    if self == .union || self == .unionOrRefuse, field != .customClaims {
      throw AuthError(
        .invalidArgument, "Only customClaims can be united, not \(field.rawValue).",
        field: field.rawValue, remedy: "Use keep, theirs, newest or oldest.")
    }
  }

  /// The rule's name in Lua; `function` for a computed value.
  public var name: String {
    switch self {
    case .keep: "keep"
    case .theirs: "theirs"
    case .newest: "newest"
    case .oldest: "oldest"
    case .union: "union"
    case .unionOrRefuse: "union-or-refuse"
    case .verified: "verified"
    case .lastSet: "last-set"
    case .either: "either"
    case .both: "both"
    case .value: "function"
    }
  }
}

/// The fields of an account that a merge decides one by one, under their names in Lua.
public enum MergeField: String, Hashable, Sendable, CaseIterable {
  case email, displayName, photoURL, phoneNumber, customClaims, disabled, createdAt, lastSignInAt
  case emailVerified

  /// The fields that every plan lists; `emailVerified` is listed with the address, and alone if it has a rule.
  package static let listed = allCases.filter { $0 != .emailVerified }

  /// The rule if none is chosen; by default a merge loses nothing and lifts no ban.
  var defaultRule: FieldRule {
    switch self {
    case .email: .verified
    case .emailVerified: .either
    case .createdAt: .oldest
    case .lastSignInAt: .newest
    default: .keep
    }
  }

  /// Finds a field by its name, or throws `invalid-argument` with the nearest name.
  public init(named name: String) throws(AuthError) {
    guard let field = MergeField(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "A merge has no field \"\(name)\".", field: name,
        remedy: suggestion(for: name, among: MergeField.allCases.map(\.rawValue)))
    }
    self = field
  }
}

/// An admin's or policy's rules for a merge; all others are the defaults.
public struct MergeRules: Hashable, Sendable {
  /// The rules by field.
  public var fields: [MergeField: FieldRule] = [:]
  /// The identities of the two accounts that the merge drops; none by default.
  public var droppedIdentities: [IdentityKey] = []

  /// Makes rules.
  public init(fields: [MergeField: FieldRule] = [:], droppedIdentities: [IdentityKey] = []) {
    self.fields = fields
    self.droppedIdentities = droppedIdentities
  }
}
