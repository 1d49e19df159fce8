/// The credential of a conflict, as its provider described it.
public struct ConflictCredential: Sendable, Hashable {
  /// The provider's ID of the person; nil if no credential was shown.
  public var subject: String?
  /// The address in the credential.
  public var email: String?
  /// True if the provider vouches for the address; counts only if the provider is trusted.
  public var emailVerified: Bool
  /// The claims of the provider in its own form, or null.
  public var claims: JSONValue

  /// Makes the facts of a credential; without arguments those of a conflict without one.
  public init(
    subject: String? = nil, email: String? = nil, emailVerified: Bool = false,
    claims: JSONValue = .null
  ) {
    self.subject = subject
    self.email = email
    self.emailVerified = emailVerified
    self.claims = claims
  }
}

/// The session of the person who caused a conflict.
public struct ConflictSession: Sendable, Hashable {
  /// The time of its sign-in; nil if there is no session, as for an admin.
  public var signedInAt: Timestamp?
  /// True if it has shown a second factor.
  public var secondFactor: Bool
  /// The age in seconds up to which a sign-in counts as recent.
  public var recentSeconds: Int64

  /// Makes the facts of a session; without arguments those of a conflict without one.
  public init(
    signedInAt: Timestamp? = nil, secondFactor: Bool = false,
    recentSeconds: Int64 = ProjectSettings().recentLoginSeconds
  ) {
    self.signedInAt = signedInAt
    self.secondFactor = secondFactor
    self.recentSeconds = recentSeconds
  }
}

extension MergeConflict {
  /// The operation that found a conflict.
  public enum Operation: String, Sendable, Hashable, Codable, CaseIterable {
    /// A person links a credential, or an admin does.
    case link
    /// A person who is signed in to both accounts merges them; `existing` is the account that they keep.
    case merge
    /// A list of merges, or an offer, is planned for an admin.
    case plan
  }

  /// Returns the conflict with the facts of a link.
  func describing(_ identity: VerifiedIdentity, by caller: Caller, _ settings: ProjectSettings)
    -> MergeConflict
  {
    var conflict = self
    conflict.credential = ConflictCredential(
      subject: identity.key?.subject, email: identity.email?.text ?? identity.profile.email,
      emailVerified: identity.emailVerified, claims: identity.claims)
    conflict.session = ConflictSession(recentSeconds: settings.recentLoginSeconds)
    if case .session(_, let signedInAt, let secondFactor, _) = caller.authority {
      conflict.session.signedInAt = signedInAt
      conflict.session.secondFactor = secondFactor
    }
    conflict.isApproved = caller.isAdmin
    return conflict
  }

  /// Returns the conflict with the facts of a person's own merge: the earlier sign-in, and a factor of either session.
  func describing(_ merge: OwnMerge, _ settings: ProjectSettings) -> MergeConflict {
    var conflict = self
    conflict.operation = .merge
    conflict.credential = ConflictCredential(subject: merge.survivor.identity?.subject)
    conflict.session = ConflictSession(
      signedInAt: min(merge.survivor.signedInAt, merge.absorbed.signedInAt),
      secondFactor: merge.survivor.secondFactor != nil || merge.absorbed.secondFactor != nil,
      recentSeconds: settings.recentLoginSeconds)
    return conflict
  }
}
