public import Foundation

/// What one provider, or the account itself, says of a person.
#if canImport(ObjectiveC)
  @objc(FIRUserInfo)
#endif
public protocol UserInfo: NSObjectProtocol, Sendable {
  /// The provider's ID, such as `google.com`; that of a ``User`` is `Firebase`.
  var providerID: String { get }
  /// The provider's own ID of the person; that of a ``User`` is the account's.
  var uid: String { get }
  var displayName: String? { get }
  var photoURL: URL? { get }
  var email: String? { get }
  /// In E.164 form, such as `+15555550100`.
  var phoneNumber: String? { get }
}

/// One way in of an account.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRUserInfoImpl)
#endif
final class ProviderUserInfo: NSObject, UserInfo {
  private let stored: StoredProvider

  init(_ stored: StoredProvider) {
    self.stored = stored
  }

  var providerID: String { stored.providerID }
  var uid: String { stored.uid }
  var displayName: String? { stored.displayName }
  var photoURL: URL? { stored.photoURL.flatMap(URL.init(string:)) }
  var email: String? { stored.email }
  var phoneNumber: String? { stored.phoneNumber }

  override var description: String { "\(providerID) \(uid)" }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? ProviderUserInfo)?.stored == stored
  }

  override var hash: Int { stored.hashValue }
}

/// When an account was opened and last signed in to.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRUserMetadata)
#endif
public final class UserMetadata: NSObject, Sendable {
  public let creationDate: Date?
  public let lastSignInDate: Date?

  init(creationDate: Date?, lastSignInDate: Date?) {
    self.creationDate = creationDate
    self.lastSignInDate = lastSignInDate
  }
}
