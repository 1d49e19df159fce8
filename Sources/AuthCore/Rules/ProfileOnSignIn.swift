/// What becomes of an account's profile when a linked provider tells about the person again.
///
/// The profile is name, picture, screen name, language and date of birth. A new account has what its provider says,
/// whatever is decided here; and in each case, what a provider does not say changes nothing.
public enum ProfileOnSignIn: String, Hashable, Sendable, Codable, CaseIterable {
  /// A field that is empty takes what the provider says, unless a provider had said something there before: then it was
  /// emptied on purpose.
  case fill
  /// What the provider says replaces what is there.
  case follow
  /// Nothing changes after the account was opened.
  case keep
}

extension ProfileOnSignIn {
  /// Gives a field's new value.
  ///
  /// - Parameters:
  ///   - own: what the account has.
  ///   - told: what the provider says now.
  ///   - wasTold: whether an identity of the account said something there before.
  /// - Returns: what the account has then.
  func value(_ own: String?, told: String?, wasTold: Bool) -> String? {
    guard let told = told.said else { return own }
    switch self {
    case .fill: return own.said == nil && !wasTold ? told : own
    case .follow: return told
    case .keep: return own
    }
  }
}

/// When a provider tells about a person who has an account.
enum ProfileOccasion {
  /// The person enters by an identity that the account has.
  case signIn
  /// The person enters, and the identity is linked by its address.
  case autoLink
  /// The same, after everything unproven was taken from the account.
  case takeOver
  /// The person, who is in already, adds the identity; as in Firebase, a profile is filled at sign-ins only.
  case link
}

extension Account {
  /// Takes over what a provider says about the person, as far as the project lets it.
  ///
  /// Called before the identity's own entry is changed: what it says there shows what was told before.
  mutating func hear(
    _ told: IdentityProfile, at occasion: ProfileOccasion, _ setting: ProfileOnSignIn
  ) {
    switch occasion {
    // To its owner the account is a new one; what stands there was chosen by somebody else.
    case .takeOver: return show(told)
    case .autoLink, .signIn, .link:
      guard occasion != .link || setting == .follow else { return }
    }
    let before = identities.map(\.profile)
    func value(_ own: String?, _ field: (IdentityProfile) -> String?) -> String? {
      setting.value(
        own, told: field(told), wasTold: before.contains { field($0).said != nil })
    }
    displayName = value(displayName) { $0.displayName }
    photoURL = value(photoURL) { $0.photoURL }
    details.screenName = value(details.screenName) { $0.screenName }
    details.language = value(details.language) { $0.language }
    details.dateOfBirth = value(details.dateOfBirth) { $0.dateOfBirth }
  }

  /// Has the profile that a provider says, and nothing else.
  mutating func show(_ profile: IdentityProfile) {
    displayName = profile.displayName
    photoURL = profile.photoURL
    details.screenName = profile.screenName
    details.language = profile.language
    details.dateOfBirth = profile.dateOfBirth
  }
}

extension String? {
  /// The text, where it says something.
  fileprivate var said: String? {
    guard let self, !self.allSatisfy(\.isWhitespace) else { return nil }
    return self
  }
}
