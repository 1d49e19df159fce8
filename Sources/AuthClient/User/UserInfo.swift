public import Foundation

/// The profile of a person at one provider, or in the account itself.
#if canImport(ObjectiveC)
  @objc(FIRUserInfo)
#endif
public protocol UserInfo: NSObjectProtocol, Sendable {
  /// The provider's ID, such as `google.com`; `Firebase` for a ``User``.
  var providerID: String { get }
  /// The provider's ID of the person; the account's ID for a ``User``.
  var uid: String { get }
  var displayName: String? { get }
  var photoURL: URL? { get }
  var email: String? { get }
  /// The phone number in E.164 form, such as `+15555550100`.
  var phoneNumber: String? { get }
}

/// An identity of an account.
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

/// The times of an account's creation and last sign-in.
#if canImport(ObjectiveC)
  @objc(FIRUserMetadata)
#endif
public final class UserMetadata: NSObject, Sendable {
  /// The time at which the account was created.
  public let creationDate: Date?
  /// The time of the last sign-in.
  public let lastSignInDate: Date?

  init(creationDate: Date?, lastSignInDate: Date?) {
    self.creationDate = creationDate
    self.lastSignInDate = lastSignInDate
  }
}
