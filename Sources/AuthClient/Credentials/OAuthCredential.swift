public import Foundation
import IdentityToolkit

/// A credential of an identity provider: Google, Apple, or any that uses OAuth or OpenID Connect.
///
/// An archive holds the tokens in the clear, so store it in the Keychain or a place as safe. Unlike with Firebase's
/// SDK, an unarchived credential belongs to the same provider again.
#if canImport(ObjectiveC)
  @objc(FIROAuthCredential)
#endif
public final class OAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  /// The provider's ID token.
  public var idToken: String? { values.idToken }
  /// The provider's access token.
  public var accessToken: String? { values.accessToken }
  /// The secret of an OAuth 1.0 access token.
  public var secret: String? { values.secret }

  private var values: FederatedValues {
    guard case .federated(let values) = content else { return FederatedValues() }
    return values
  }

  init(provider: String, values: FederatedValues) {
    super.init(provider: provider, content: .federated(values))
  }

  /// Reads the credential of a server's answer; nil if the answer has none.
  ///
  /// A pending token alone is enough: it stands for a verified credential.
  convenience init?(provider: String, answer: WireFields) {
    func filled(_ name: String) -> String? { (try? answer.filled(name)) ?? nil }
    let values = FederatedValues(
      idToken: filled("oauthIdToken"), accessToken: filled("oauthAccessToken"),
      secret: filled("oauthTokenSecret"), rawNonce: filled("nonce"),
      pendingToken: filled("pendingToken"))
    let tokens = [values.idToken, values.accessToken, values.secret, values.pendingToken]
    guard tokens.contains(where: { $0 != nil }) else { return nil }
    self.init(provider: provider, values: values)
  }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an archive; nil if it names no provider.
  public init?(coder: NSCoder) {
    guard let provider = coder.text("provider") else { return nil }
    var values = FederatedValues(
      idToken: coder.text("idToken"), accessToken: coder.text("accessToken"),
      secret: coder.text("secret"), rawNonce: coder.text("rawNonce"),
      pendingToken: coder.text("pendingToken"))
    values.givenName = coder.text("givenName")
    values.familyName = coder.text("familyName")
    values.callback = coder.text("callback")
    values.sessionID = coder.text("sessionID")
    super.init(provider: provider, content: .federated(values))
  }

  /// Writes an archive, which holds the tokens in the clear.
  public func encode(with coder: NSCoder) {
    coder.encode(text: provider, "provider")
    coder.encode(text: values.idToken, "idToken")
    coder.encode(text: values.accessToken, "accessToken")
    coder.encode(text: values.secret, "secret")
    coder.encode(text: values.rawNonce, "rawNonce")
    coder.encode(text: values.pendingToken, "pendingToken")
    coder.encode(text: values.callback, "callback")
    coder.encode(text: values.sessionID, "sessionID")
    coder.encode(text: values.givenName, "givenName")
    coder.encode(text: values.familyName, "familyName")
  }
}
