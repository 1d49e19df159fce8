import AuthValues
public import Foundation
import IdentityToolkit

/// What a sign-in, a link or a merge gave.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAuthDataResult)
#endif
public final class AuthDataResult: NSObject, Sendable {
  public let user: User
  /// What the provider said; nil where none was asked just now.
  public let additionalUserInfo: AdditionalUserInfo?
  /// The provider's tokens, where it gave some.
  public let credential: OAuthCredential?
  /// The uids of the accounts that went up in ``user`` by this; mostly none.
  ///
  /// Whatever an app keeps under one of them belongs to ``user`` from now on.
  public let mergedFrom: [String]

  init(user: User, _ answer: SignInAnswer) {
    self.user = user
    additionalUserInfo = answer.additional
    credential = answer.credential
    mergedFrom = answer.mergedFrom
  }

  init(user: User) {
    self.user = user
    (additionalUserInfo, credential, mergedFrom) = (nil, nil, [])
  }
}

/// What a provider said of a person at a sign-in.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAdditionalUserInfo)
#endif
public final class AdditionalUserInfo: NSObject, Sendable {
  /// The provider's ID; empty for anonymous people and custom tokens.
  public let providerID: String
  /// The name that the person has there, where the provider gives people one.
  public let username: String?
  /// Whether the sign-in opened the account.
  public let isNewUser: Bool
  private let values: JSONValue?

  init(providerID: String, isNewUser: Bool) {
    self.providerID = providerID
    self.isNewUser = isNewUser
    (username, values) = (nil, nil)
  }

  init(_ fields: WireFields, providerID: String) {
    self.providerID = providerID
    username = fields.string("username") ?? fields.string("screenName")
    isNewUser = fields.flag("isNewUser")
    values =
      switch fields.value("rawUserInfo") {
      case .string(let text)?: try? JSONValue(text: text)
      case let value: value
      }
  }

  /// Everything that the provider said, as it said it.
  public var profile: [String: Any]? { values?.foundationValue as? [String: Any] }
}
