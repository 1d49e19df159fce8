import AuthValues
import Foundation
import IdentityToolkit

extension Toolkit {
  /// Requests the record of the account that a token belongs to.
  func lookup(_ idToken: String) async throws -> AccountRecord {
    let answer = try await call(.lookup, ["idToken": .string(idToken)])
    guard let user = answer.items("users").first, let record = AccountRecord(user) else {
      throw NSError.answer(without: "users")
    }
    return record
  }
}

/// An account in the server's form.
struct AccountRecord: Sendable {
  let uid: String
  private let fields: WireFields

  init?(_ fields: WireFields) {
    guard let uid = fields.string("localId") else { return nil }
    self.uid = uid
    self.fields = fields
  }

  /// Applies the record.
  ///
  /// Values that it lacks are removed.
  func update(_ user: inout StoredUser) {
    user.uid = uid
    user.email = fields.string("email")
    user.isEmailVerified = fields.flag("emailVerified")
    user.displayName = fields.string("displayName")
    user.photoURL = fields.string("photoUrl")
    user.phoneNumber = fields.string("phoneNumber")
    user.hasPassword = fields.string("passwordHash") != nil
    user.createdAt = moment("createdAt")
    user.lastSignInAt = moment("lastLoginAt")
    user.providers = fields.items("providerUserInfo").compactMap(StoredProvider.init)
    user.factors = fields.items("mfaInfo").compactMap(StoredFactor.init)
  }

  /// Returns a time that is written as milliseconds since 1970.
  private func moment(_ name: String) -> Date? {
    (try? fields.integer(name)).flatMap { $0 }
      .map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }
}

extension StoredProvider {
  init?(_ fields: WireFields) {
    guard let providerID = fields.string("providerId") else { return nil }
    self.init(
      providerID: providerID,
      uid: fields.string("federatedId") ?? fields.string("rawId") ?? "",
      displayName: fields.string("displayName"), email: fields.string("email"),
      photoURL: fields.string("photoUrl"), phoneNumber: fields.string("phoneNumber"))
  }
}

extension StoredFactor {
  /// Reads a factor; nil for one of an unknown kind.
  init?(_ fields: WireFields) {
    guard let uid = fields.string("mfaEnrollmentId") else { return nil }
    let kind: StoredFactor.Kind
    if fields.string("phoneInfo") != nil {
      kind = .phone
    } else if fields.value("totpInfo") != nil {
      kind = .totp
    } else {
      return nil
    }
    let enrolledAt = fields.string("enrolledAt").flatMap { Timestamp(rfc3339: $0) }
    self.init(
      uid: uid, displayName: fields.string("displayName"),
      enrolledAt: enrolledAt.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
        ?? .distantPast,
      kind: kind, phoneNumber: fields.string("phoneInfo"))
  }
}
