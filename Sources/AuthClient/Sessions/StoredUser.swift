import Foundation

/// The stored state of a signed-in user, from which a later run of the app restores it.
struct StoredUser: Codable, Sendable, Hashable {
  var uid: String
  var isAnonymous = false
  var hasPassword = false
  var email: String?
  var isEmailVerified = false
  var displayName: String?
  var photoURL: String?
  var phoneNumber: String?
  var providers: [StoredProvider] = []
  var createdAt: Date?
  var lastSignInAt: Date?
  var tenantID: String?
  var factors: [StoredFactor] = []
  var tokens: TokenPair
}

/// An entry of a user's provider data.
struct StoredProvider: Codable, Sendable, Hashable {
  var providerID: String
  /// The provider's ID of the user.
  var uid: String
  var displayName: String?
  var email: String?
  var photoURL: String?
  var phoneNumber: String?
}

/// An enrolled second factor.
struct StoredFactor: Codable, Sendable, Hashable {
  enum Kind: String, Codable, Sendable {
    case phone
    case totp
  }

  var uid: String
  var displayName: String?
  var enrolledAt: Date
  var kind: Kind
  /// The number that receives codes, as far as the server shows it.
  var phoneNumber: String?
}

extension StoredUser: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "StoredUser(\(uid))" }
  var debugDescription: String { description }
  /// Shows the account without its tokens.
  var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "uid": uid, "isAnonymous": isAnonymous, "providers": providers.map(\.providerID),
        "tenantID": tenantID as Any, "factors": factors.map(\.kind.rawValue),
      ])
  }
}
