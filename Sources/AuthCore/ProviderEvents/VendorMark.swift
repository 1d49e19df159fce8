/// The latest that a vendor reported about an identity of an account.
///
/// Credentials from before the report are refused, and the sessions of the identity may be over. The mark is part of the
/// account's details, and follows the identity from account to account; see ``Verdict/carryMarks(on:)``.
public struct VendorMark: Hashable, Sendable, Codable {
  /// The key of the identity.
  public var key: IdentityKey
  /// The event for which the identity cannot sign in at present; nil if it can.
  ///
  /// The vendor's word that the account is enabled lifts it, and so does a credential that the vendor issued later.
  public var suspendedBy: ProviderEvent.Kind?
  /// The time of the latest event; the identity's credentials from before are refused.
  public var at: Timestamp
  /// The time before which the identity's sessions are over; nil if none were ended.
  public var sessionsEndedAt: Timestamp?

  /// Makes a mark.
  public init(
    key: IdentityKey, suspendedBy: ProviderEvent.Kind? = nil, at: Timestamp,
    sessionsEndedAt: Timestamp? = nil
  ) {
    self.key = key
    self.suspendedBy = suspendedBy
    self.at = at
    self.sessionsEndedAt = sessionsEndedAt
  }

  /// Tells whether a credential is from before the event.
  ///
  /// A credential without an `iat` was verified by asking the vendor, which still vouches for the person.
  func stops(_ identity: VerifiedIdentity) -> Bool {
    guard let issuedAt = NumericDate(identity.claims["iat"])?.floor else { return false }
    return issuedAt <= at
  }
}

extension VendorMark: FieldRecord {
  package static var blank: VendorMark {
    VendorMark(key: IdentityKey(ProviderID(""), subject: ""), at: Timestamp(milliseconds: 0))
  }
  package static let fields: FieldList<VendorMark> = [
    Field("key", \.key), Field("suspendedBy", \.suspendedBy), Field("at", \.at),
    Field("sessionsEndedAt", \.sessionsEndedAt),
  ]
}

extension ProviderEvent.Kind: FieldValue {}

extension Snapshot {
  /// True if a vendor reported something about an identity of one of the accounts.
  var hasMarks: Bool { accounts.values.contains(where: \.hasMarks) }
}

extension Account {
  fileprivate var hasMarks: Bool { !details.vendorMarks.isEmpty }

  /// Returns the mark of one of the account's identities; nil if its vendor reported nothing.
  public func mark(of identity: Identity) -> VendorMark? {
    details.vendorMarks.first { identity.owns($0.key) }
  }

  /// Returns the mark of the identity that a key leads to.
  func mark(reachedBy key: IdentityKey) -> VendorMark? {
    guard !details.vendorMarks.isEmpty else { return nil }
    return identity(reachedBy: key).flatMap(mark)
  }

  /// Sets the mark of one of the account's identities.
  mutating func set(_ mark: VendorMark, on identity: Identity) {
    details.vendorMarks.removeAll { identity.owns($0.key) }
    details.vendorMarks.append(mark)
  }

  /// Lifts the suspension of the identity that a key leads to; credentials from before the event stay refused.
  mutating func liftSuspension(of key: IdentityKey) {
    guard var mark = mark(reachedBy: key), mark.suspendedBy != nil,
      let identity = identity(reachedBy: key)
    else { return }
    mark.suspendedBy = nil
    set(mark, on: identity)
  }
}

extension Verdict {
  /// Gives each mark to the account that has its identity after the change.
  ///
  /// A merge, a split, a move, a take-over and a rekey carry it, also their undo: the mark is then the present one, and
  /// not that of the restored state. A restored account has the marks that it was deleted with. An identity that goes
  /// loses its mark, and so does one that is linked again or imported.
  mutating func carryMarks(on snapshot: Snapshot) {
    guard error == nil,
      snapshot.hasMarks || changes.inserted.contains(where: \.hasMarks)
        || changes.updated.contains(where: { $0.new.hasMarks })
    else { return }
    for new in changes.inserted + changes.updated.map(\.new) {
      var carried = new
      carried.details.vendorMarks = new.marks(from: snapshot, keepingOwn: action.setsMarks)
      for mark in carried.details.vendorMarks where mark.suspendedBy == .identityDeleted {
        carried.changeIdentity(mark.key) { $0.profile = IdentityProfile() }
      }
      guard carried != new else { continue }
      if account?.id == carried.id { account = carried }
      guard action.restoresEarlierState else {
        replaceRow(carried, from: snapshot)
        continue
      }
      // The journal keeps an undone change as it was.
      if let index = changes.inserted.firstIndex(where: { $0.id == carried.id }) {
        changes.inserted[index] = carried
      }
      if let index = changes.updated.firstIndex(where: { $0.new.id == carried.id }) {
        let old = changes.updated[index].old
        changes.updated[index] = ChangeSet.Update(old: old, new: carried)
      }
    }
  }
}

extension Action {
  /// True if the operation itself decides on the marks of the account.
  fileprivate var setsMarks: Bool { [.signIn, .providerEvent].contains(self) }
}

extension Account {
  /// Returns the marks of the account's identities, each as its present owner has it.
  ///
  /// The account's own changes count if `isDeciding` is set.
  fileprivate func marks(from snapshot: Snapshot, keepingOwn isDeciding: Bool) -> [VendorMark] {
    identities.compactMap { identity in
      let owner = snapshot.accounts.values.first { $0.owns(identity.key) }
      var mark = mark(of: identity)
      if let owner, owner.id != id || !isDeciding { mark = owner.mark(reachedBy: identity.key) }
      // A rekey may forget the key under which the mark was made.
      mark?.key = identity.key
      return mark
    }
  }
}
