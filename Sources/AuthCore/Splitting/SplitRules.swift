/// The fields of an account that a split decides one by one, under their names in Lua.
public enum SplitField: String, Hashable, Sendable, CaseIterable {
  case email, phoneNumber, displayName, photoURL, screenName, language, timeZone, dateOfBirth
  case customClaims, secondFactors

  /// Finds a field by its name, or throws `invalid-argument` with the nearest name.
  public init(named name: String) throws(AuthError) {
    guard let field = SplitField(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "A split has no field \"\(name)\".", field: name,
        remedy: suggestion(for: name, among: SplitField.allCases.map(\.rawValue)))
    }
    self = field
  }

  /// True if the value belongs to one account alone.
  var isExclusive: Bool { self == .email || self == .phoneNumber }

  /// The choices that the field allows.
  public var choices: [SplitChoice] { isExclusive ? [.keep, .move] : SplitChoice.allCases }
}

/// The account that has a field's value after a split.
public enum SplitChoice: String, Hashable, Sendable, CaseIterable {
  /// The value stays; the default, except for an address or a number, which follows its identity.
  case keep
  /// The value goes to the new account.
  case move
  /// Both accounts have the value.
  case copy

  /// Reads a choice by its name, or throws `invalid-argument`.
  public init(name: String, field: SplitField) throws(AuthError) {
    guard let choice = SplitChoice(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "There is no choice \"\(name)\".", field: field.rawValue,
        remedy: suggestion(for: name, among: SplitChoice.allCases.map(\.rawValue)))
    }
    guard field.choices.contains(choice) else {
      throw AuthError(
        .invalidArgument, "\(field.rawValue) belongs to one account.", field: field.rawValue,
        remedy: "Use keep or move.")
    }
    self = choice
  }
}

/// An admin's description of a split.
public struct SplitRules: Hashable, Sendable {
  /// The identities that go to the new account.
  public var identities: [IdentityKey]
  /// The choices by field.
  public var fields: [SplitField: SplitChoice]
  /// The uid of the new account; nil to make one.
  public var uid: AccountID?

  /// Makes a description.
  public init(
    identities: [IdentityKey], fields: [SplitField: SplitChoice] = [:], uid: AccountID? = nil
  ) {
    self.identities = identities
    self.fields = fields
    self.uid = uid
  }
}

extension Account {
  /// Returns a field's value in readable form; second factors by kind, with masked numbers.
  public func shown(_ field: SplitField) -> String? {
    switch field {
    case .email: shown(MergeField.email)
    case .phoneNumber: phoneNumber?.text
    case .displayName: displayName
    case .photoURL: photoURL
    case .screenName: details.screenName
    case .language: details.language
    case .timeZone: details.timeZone
    case .dateOfBirth: details.dateOfBirth
    case .customClaims: customClaims?.text
    case .secondFactors:
      secondFactors.isEmpty ? nil : secondFactors.map(\.auditText).joined(separator: ", ")
    }
  }

  /// Takes a field's value from another account; an address with its verified flag.
  mutating func take(_ field: SplitField, from other: Account) {
    switch field {
    case .email: (email, emailVerified) = (other.email, other.emailVerified)
    case .phoneNumber: phoneNumber = other.phoneNumber
    case .displayName: displayName = other.displayName
    case .photoURL: photoURL = other.photoURL
    case .screenName: details.screenName = other.details.screenName
    case .language: details.language = other.details.language
    case .timeZone: details.timeZone = other.details.timeZone
    case .dateOfBirth: details.dateOfBirth = other.details.dateOfBirth
    case .customClaims: customClaims = other.customClaims
    case .secondFactors: secondFactors = other.secondFactors
    }
  }

  /// Removes a field's value.
  mutating func leave(_ field: SplitField) {
    take(field, from: Account(id: id, scope: scope, createdAt: createdAt))
  }
}
