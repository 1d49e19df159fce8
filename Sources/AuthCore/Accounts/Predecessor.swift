/// An identity that another one replaced in a rekey.
///
/// It is no longer an entry of `providerData` and is not counted. Its key stays the account's own, so that no other
/// account can take it, and signs in until the window ends.
public struct Predecessor: Hashable, Sendable, Codable {
  /// The identity as it was, updated by sign-ins with its own key.
  public var identity: Identity
  /// The ID of the rekey that replaced it.
  public private(set) var rekey: String
  /// The time from which its key no longer signs in.
  public private(set) var until: Timestamp
  /// Its index among the account's identities, if its successor was already linked; nil if the successor took its
  /// index.
  public private(set) var place: Int?

  /// Makes a replaced identity.
  public init(identity: Identity, rekey: String, until: Timestamp, place: Int? = nil) {
    self.identity = identity
    self.rekey = rekey
    self.until = until
    self.place = place
  }
}

extension Predecessor: FieldRecord {
  package static var blank: Predecessor {
    Predecessor(identity: .blank, rekey: "", until: Timestamp(milliseconds: 0))
  }
  package static let fields: FieldList<Predecessor> = [
    Field("identity", \.identity), Field("rekey", \.rekey), Field("until", \.until),
    Field("place", \.place),
  ]
}

extension Identity {
  /// All keys that the account owns by this identity: its own first, then those it replaced.
  public var keys: [IdentityKey] {
    predecessors.isEmpty ? [key] : [key] + predecessors.flatMap(\.identity.keys)
  }

  /// Tells whether the key is the identity's own or one that it replaced.
  public func owns(_ key: IdentityKey) -> Bool {
    self.key == key || predecessors.contains { $0.identity.owns(key) }
  }

  /// Tells whether the provider is the identity's own or one that it replaced, as after a rename.
  func owns(keyOf provider: ProviderID) -> Bool {
    key.provider == provider || predecessors.contains { $0.identity.owns(keyOf: provider) }
  }

  /// Returns the replaced identity with this key, at any depth.
  func predecessor(_ key: IdentityKey) -> Predecessor? {
    for old in predecessors {
      if old.identity.key == key { return old }
      if let older = old.identity.predecessor(key) { return older }
    }
    return nil
  }

  /// Applies a change to this identity, and to the replaced ones on the way to a key.
  mutating func change(reachedBy key: IdentityKey, _ change: (inout Identity) -> Void) {
    change(&self)
    for index in predecessors.indices where predecessors[index].identity.owns(key) {
      predecessors[index].identity.change(reachedBy: key, change)
    }
  }

  mutating func forgetActivityOfPredecessors() {
    for index in predecessors.indices {
      predecessors[index].identity.lastSignInAt = nil
      predecessors[index].identity.profile = IdentityProfile()
      predecessors[index].identity.emailVerified = false
      predecessors[index].identity.forgetActivityOfPredecessors()
    }
  }
}

extension Account {
  /// Applies a change to the identity that a key leads to, and to the replaced ones on the way to the key.
  mutating func changeIdentity(
    reachedBy key: IdentityKey, _ change: (inout Identity) -> Void
  ) {
    guard let index = identities.index(reachedBy: key) else { return }
    identities[index].change(reachedBy: key, change)
  }
}
