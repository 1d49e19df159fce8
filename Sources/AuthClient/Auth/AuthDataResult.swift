import AuthValues
public import Foundation
import IdentityToolkit

/// The result of a sign-in, a link or a merge.
#if canImport(ObjectiveC)
  @objc(FIRAuthDataResult)
#endif
public final class AuthDataResult: NSObject, Sendable {
  /// The account, with its new session.
  public let user: User
  /// The provider's claims about the person; nil if no provider took part.
  public let additionalUserInfo: AdditionalUserInfo?
  /// The provider's tokens, if it returned any.
  public let credential: OAuthCredential?
  /// The uids of the accounts absorbed into ``user`` by this call; mostly none.
  ///
  /// Data that the app stores under one of them belongs to ``user`` from now on.
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

/// A provider's claims about a person at sign-in.
#if canImport(ObjectiveC)
  @objc(FIRAdditionalUserInfo)
#endif
public final class AdditionalUserInfo: NSObject, Sendable {
  /// The provider's ID; empty for anonymous users and custom tokens.
  public let providerID: String
  /// The person's user name at the provider, if the provider has user names.
  public let username: String?
  /// True if the sign-in created the account.
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

  /// The provider's claims, unchanged.
  public var profile: [String: Any]? { values?.foundationValue as? [String: Any] }
}
