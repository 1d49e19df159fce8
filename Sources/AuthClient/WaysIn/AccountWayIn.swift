import AuthValues
public import Foundation
import IdentityToolkit

/// A way into an account, such as an identity, a second factor or the open sessions.
///
/// ``User/waysIn()`` lists them. After a password reset or a change of address a person looks at them, and ends those
/// that are not wanted with ``User/endWaysIn(_:)``. AuthGraph's own; Firebase's servers know it not.
#if canImport(ObjectiveC)
  @objc(AGAccountWayIn)
#endif
public final class AccountWayIn: NSObject, Sendable {
  /// The name by which it is ended; empty in a list that a code's answer brought.
  public let id: String
  /// The kind: `provider`, `password`, `emailLink`, `phone`, `passkey`, `secondFactor`, `sessions`, `mailbox` or
  /// `customToken`.
  public let kind: String
  /// The provider of an identity; nil for other kinds.
  public let providerID: String?
  /// The address, the number or the name by which a person recognises it; nil if it has none.
  ///
  /// In a list that a code's answer brought, most of it is hidden.
  public let label: String?
  /// The time it was linked or enrolled; nil if unknown.
  public let linkedDate: Date?
  /// The time of its last use; nil if unknown.
  public let lastUsedDate: Date?
  /// True if it opens the account at present.
  public let isUsable: Bool
  /// True if ``User/endWaysIn(_:)`` can end it; a mailbox and an app's tokens cannot be ended.
  public let isEndable: Bool

  init?(_ fields: WireFields) {
    guard let kind = fields.string("kind") else { return nil }
    self.kind = kind
    id = fields.string("id") ?? ""
    providerID = fields.string("provider")
    label = fields.string("label")
    linkedDate = fields.date("linkedAt")
    lastUsedDate = fields.date("lastUsedAt")
    isUsable = fields.flag("usable")
    isEndable = fields.flag("endable")
  }

  /// The provider or the kind, with the label.
  public override var description: String {
    let name = providerID ?? kind
    return label.map { "\(name) (\($0))" } ?? name
  }

  /// Returns true for the same way into an account.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AccountWayIn else { return false }
    return id == other.id && kind == other.kind && providerID == other.providerID
      && label == other.label
  }

  /// A hash of the name and the kind.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(id)
    hasher.combine(kind)
    return hasher.finalize()
  }
}

extension WireFields {
  /// The ways into the account that an answer lists; empty if it lists none.
  var waysIn: [AccountWayIn] { items("waysIn").compactMap(AccountWayIn.init) }

  fileprivate func date(_ name: String) -> Date? {
    string(name).flatMap { Timestamp(rfc3339: $0) }
      .map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
  }
}
