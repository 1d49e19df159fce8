/// The effect of a linked provider's data on an account's profile after the sign-up.
///
/// The profile is name, picture, screen name, language and date of birth. A new account always gets its provider's
/// data, and fields that a provider omits are never changed.
public enum ProfileOnSignIn: String, Hashable, Sendable, Codable, CaseIterable {
  /// Fills an empty field, unless a provider's data had it before: then it was emptied on purpose.
  case fill
  /// Replaces the fields by the provider's data.
  case follow
  /// Changes nothing after the sign-up.
  case keep
}

extension ProfileOnSignIn {
  /// Returns a field's new value.
  ///
  /// - Parameters:
  ///   - own: the account's value.
  ///   - provided: the provider's value.
  ///   - wasKnown: true if an identity of the account already had a value for the field.
  /// - Returns: the account's value after the sign-in.
  func value(_ own: String?, provided: String?, wasKnown: Bool) -> String? {
    guard let provided = provided.said else { return own }
    switch self {
    case .fill: return own.said == nil && !wasKnown ? provided : own
    case .follow: return provided
    case .keep: return own
    }
  }
}

/// The occasion on which a provider's data about an account's owner arrives.
enum ProfileOccasion {
  /// A sign-in with an identity of the account.
  case signIn
  /// A sign-in that links the identity by its address.
  case autoLink
  /// A sign-in that links the identity after everything unproven was removed.
  case takeOver
  /// A link in a session; as in Firebase, only sign-ins fill a profile.
  case link
}

extension Account {
  /// Updates the profile from a provider's data, as far as the setting allows.
  ///
  /// Call it before the identity's own profile changes, because that shows the provider's earlier data.
  mutating func hear(
    _ provided: IdentityProfile, at occasion: ProfileOccasion, _ setting: ProfileOnSignIn
  ) {
    switch occasion {
    // For its owner the account is new, and its present profile is a stranger's.
    case .takeOver: return show(provided)
    case .autoLink, .signIn, .link:
      guard occasion != .link || setting == .follow else { return }
    }
    let before = identities.map(\.profile)
    func value(_ own: String?, _ field: (IdentityProfile) -> String?) -> String? {
      setting.value(
        own, provided: field(provided), wasKnown: before.contains { field($0).said != nil })
    }
    displayName = value(displayName) { $0.displayName }
    photoURL = value(photoURL) { $0.photoURL }
    details.screenName = value(details.screenName) { $0.screenName }
    details.language = value(details.language) { $0.language }
    details.dateOfBirth = value(details.dateOfBirth) { $0.dateOfBirth }
  }

  /// Sets the whole profile from a provider's data.
  mutating func show(_ profile: IdentityProfile) {
    displayName = profile.displayName
    photoURL = profile.photoURL
    details.screenName = profile.screenName
    details.language = profile.language
    details.dateOfBirth = profile.dateOfBirth
  }
}

extension String? {
  /// The text; nil if it is blank.
  fileprivate var said: String? {
    guard let self, !self.allSatisfy(\.isWhitespace) else { return nil }
    return self
  }
}
