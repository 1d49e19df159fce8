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
  /// A value that a policy computed.
  case value(JSONValue)

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
    default:
      throw AuthError(
        .invalidArgument, "There is no field rule \"\(name)\".", field: field.rawValue,
        remedy: suggestion(
          for: name,
          among: ["keep", "theirs", "newest", "oldest", "union", "union-or-refuse", "verified"]))
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
    case .value: "function"
    }
  }
}

/// The fields of an account that a merge decides one by one, under their names in Lua.
public enum MergeField: String, Hashable, Sendable, CaseIterable {
  case email, displayName, photoURL, phoneNumber, customClaims, disabled, createdAt, lastSignInAt

  /// The rule if none is chosen; by default a merge loses nothing and lifts no ban.
  var defaultRule: FieldRule {
    switch self {
    case .email: .verified
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
