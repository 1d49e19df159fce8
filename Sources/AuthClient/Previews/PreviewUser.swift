public import Foundation

/// A user of ``Auth/preview(signedInAs:)``, with the values that a view shows.
public struct PreviewUser: Sendable, Hashable {
  /// The account's ID.
  public var uid: String
  /// The account's e-mail address.
  public var email: String?
  /// The account's display name.
  public var displayName: String?
  /// The URL of the account's picture.
  public var photoURL: URL?
  /// The account's phone number in E.164 form.
  public var phoneNumber: String?
  /// True if the owner has proved the address.
  public var isEmailVerified: Bool
  /// The IDs of the providers, such as `password` and `google.com`; none makes the user anonymous.
  public var providers: [String]

  /// Makes a user, by default one with a verified address and a password.
  public init(
    uid: String = "preview", email: String? = "ada@example.com", displayName: String? = "Ada",
    photoURL: URL? = nil, phoneNumber: String? = nil, isEmailVerified: Bool = true,
    providers: [String] = ["password"]
  ) {
    self.uid = uid
    self.email = email
    self.displayName = displayName
    self.photoURL = photoURL
    self.phoneNumber = phoneNumber
    self.isEmailVerified = isEmailVerified
    self.providers = providers
  }

  /// A user without a sign-in method.
  public static let anonymous = PreviewUser(
    uid: "anonymous", email: nil, displayName: nil, isEmailVerified: false, providers: [])
}

extension PreviewUser {
  /// The user as it is stored between runs, with tokens that never expire.
  var stored: StoredUser {
    var user = StoredUser(
      uid: uid,
      tokens: TokenPair(
        idToken: PreviewBackend.token(of: self), refreshToken: "preview",
        expiresAt: .distantFuture))
    user.email = email
    user.displayName = displayName
    user.photoURL = photoURL?.absoluteString
    user.phoneNumber = phoneNumber
    user.isEmailVerified = isEmailVerified
    user.isAnonymous = providers.isEmpty
    user.hasPassword = providers.contains(EmailAuthProvider.id)
    user.providers = providers.map { provider in
      StoredProvider(
        providerID: provider,
        uid: (provider == PhoneAuthProvider.id ? phoneNumber : email) ?? uid,
        displayName: displayName, email: provider == PhoneAuthProvider.id ? nil : email,
        photoURL: photoURL?.absoluteString, phoneNumber: phoneNumber)
    }
    return user
  }
}
