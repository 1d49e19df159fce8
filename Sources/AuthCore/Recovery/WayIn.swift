/// A way into an account: an identity, a second factor, the open sessions, or what opens the account from outside.
///
/// A person reviews them after a change of address, a password reset, a recovery or an undo, and ends those that are
/// not wanted with ``AccountGraph/endWaysIn(_:of:force:continuing:by:)``.
public struct WayIn: Hashable, Sendable, Identifiable {
  /// The kind of a way in.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An identity of a vendor.
    case provider
    /// A password.
    case password
    /// Sign-in links to an address.
    case emailLink
    /// Codes to a phone number.
    case phone
    /// A passkey.
    case passkey
    /// A second factor, which guards the others.
    case secondFactor
    /// All open sessions.
    case sessions
    /// Messages to the account's address, which can set a new password.
    case mailbox
    /// Tokens that the app makes for the uid.
    case customToken
  }

  /// The part of the account that goes if the way is ended.
  enum Target: Hashable, Sendable {
    case identity(IdentityKey)
    case factor(String)
    case sessions
    /// Nothing that the account owns.
    case none
  }

  /// The name by which it is ended.
  ///
  /// An identity that was unlinked and linked again has another one.
  public let id: String
  /// The kind.
  public let kind: Kind
  /// The provider of an identity; nil for other kinds.
  public let provider: ProviderID?
  /// The address, the number or the name by which a person recognises it; nil if it has none.
  public private(set) var label: String?
  /// The time it was linked or enrolled; nil if unknown.
  public let linkedAt: Timestamp?
  /// The time of its last use; nil if unknown.
  public let lastUsedAt: Timestamp?
  /// The source of an identity; nil for other kinds.
  public private(set) var origin: Identity.Origin?
  /// The reason why it opens the account at present no more, such as `closed`; nil if it does.
  public let obstacle: String?
  let target: Target

  /// True if it can be ended; a mailbox and an app's tokens cannot.
  public var isEndable: Bool { target != .none }

  init(
    id: String, _ kind: Kind, _ target: Target, provider: ProviderID? = nil, label: String? = nil,
    linkedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil, origin: Identity.Origin? = nil,
    obstacle: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.target = target
    self.provider = provider
    self.label = label
    self.linkedAt = linkedAt
    self.lastUsedAt = lastUsedAt
    self.origin = origin
    self.obstacle = obstacle
  }
}

/// The ways into one account after a change.
public struct WaysInOfAccount: Hashable, Sendable {
  /// The account's uid.
  public let account: AccountID
  /// The ways in.
  public let ways: [WayIn]
}

extension WayIn {
  /// The audience of a list.
  public enum Audience: Hashable, Sendable {
    /// The account's owner with a session, or an admin.
    case owner
    /// A person who has proven the mailbox alone, and may be a stranger to everything else.
    case mailbox
  }

  /// The way in as JSON.
  ///
  /// For the mailbox's reader, addresses and numbers are masked, names are left out, and nothing can be ended by it.
  public func json(for audience: Audience) -> JSONValue {
    var members: [String: JSONValue] = [
      "kind": .string(kind.rawValue), "usable": .bool(obstacle == nil),
    ]
    members["provider"] = provider.map { .string($0.rawValue) }
    members["obstacle"] = obstacle.map(JSONValue.string)
    guard audience == .owner else {
      members["label"] = label.flatMap(Self.masked).map(JSONValue.string)
      return .object(members)
    }
    members["id"] = .string(id)
    members["endable"] = .bool(isEndable)
    members["label"] = label.map(JSONValue.string)
    members["linkedAt"] = linkedAt.map { .string($0.text) }
    members["lastUsedAt"] = lastUsedAt.map { .string($0.text) }
    members["origin"] = origin.map { .string($0.rawValue) }
    return .object(members)
  }

  /// Returns an address or a number with most of it hidden; nil for another text.
  private static func masked(_ label: String) -> String? {
    if let number = try? PhoneNumber(label) { return number.masked }
    guard let email = try? EmailAddress(label), let first = email.text.first,
      let at = email.text.lastIndex(of: "@")
    else { return nil }
    return "\(first)•••\(email.text[at...])"
  }

  /// The provider or the kind, with the label.
  var text: String {
    let name = provider?.rawValue ?? kind.rawValue
    return label.map { "\(name) (\($0))" } ?? name
  }
}
