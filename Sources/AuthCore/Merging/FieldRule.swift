/// How one field of a merged account comes about.
public enum FieldRule: Hashable, Sendable {
  /// The survivor's value, or the other's where the survivor has none.
  case keep
  /// The other's value, or the survivor's where the other has none.
  case theirs
  /// The value of the account created later, where it has one.
  case newest
  /// The value of the account created earlier, where it has one.
  case oldest
  /// Maps and lists together; where both say something else about one name, the survivor's word.
  case union
  /// The address that is verified; the survivor's if both or neither are.
  ///
  /// Of two addresses that are not verified it gives none if a second factor guards the result, because the
  /// address's owner could not get past it.
  case verified
  /// A value that a policy computed.
  case value(JSONValue)

  /// Reads a rule by its name in Lua; throws `invalid-argument`.
  public init(name: String, field: MergeField) throws(AuthError) {
    switch name {
    case "keep": self = .keep
    case "theirs": self = .theirs
    case "newest": self = .newest
    case "oldest": self = .oldest
    case "union": self = .union
    case "verified": self = .verified
    default:
      throw AuthError(
        .invalidArgument, "There is no field rule \"\(name)\".", field: field.rawValue,
        remedy: suggestion(
          for: name, among: ["keep", "theirs", "newest", "oldest", "union", "verified"]))
    }
    if self == .verified && field != .email {
      throw AuthError(
        .invalidArgument, "Only email can be verified; \(field.rawValue) is not proven by anybody.",
        field: field.rawValue, remedy: "Use keep, theirs, newest or oldest.")
    }
    if self == .union && field != .customClaims {
      throw AuthError(
        .invalidArgument, "Only customClaims can be united; \(field.rawValue) is one value.",
        field: field.rawValue, remedy: "Use keep, theirs, newest or oldest.")
    }
  }

  public var name: String {
    switch self {
    case .keep: "keep"
    case .theirs: "theirs"
    case .newest: "newest"
    case .oldest: "oldest"
    case .union: "union"
    case .verified: "verified"
    case .value: "function"
    }
  }
}

/// The fields of an account that a merge decides one by one, under their names in Lua.
public enum MergeField: String, Hashable, Sendable, CaseIterable {
  case email, displayName, photoURL, phoneNumber, customClaims, disabled, createdAt, lastSignInAt

  /// The rule where nobody chose one: a merge loses nothing and lets nobody in whom an admin shut out.
  var defaultRule: FieldRule {
    switch self {
    case .email: .verified
    case .createdAt: .oldest
    case .lastSignInAt: .newest
    default: .keep
    }
  }

  /// Finds a field by its name; throws `invalid-argument` with the nearest.
  public init(named name: String) throws(AuthError) {
    guard let field = MergeField(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "A merge has no field \"\(name)\".", field: name,
        remedy: suggestion(for: name, among: MergeField.allCases.map(\.rawValue)))
    }
    self = field
  }
}

/// What an admin or a policy wants of a merge; everything else is the default.
public struct MergeRules: Hashable, Sendable {
  public var fields: [MergeField: FieldRule] = [:]
  /// Identities of the two accounts that the merge shall lose.
  ///
  /// Without being asked it loses none.
  public var droppedIdentities: [IdentityKey] = []

  public init(fields: [MergeField: FieldRule] = [:], droppedIdentities: [IdentityKey] = []) {
    self.fields = fields
    self.droppedIdentities = droppedIdentities
  }
}
