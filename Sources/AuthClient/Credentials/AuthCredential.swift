import AuthValues
public import Foundation

/// A proof of identity: an opaque value, made by a provider's class.
///
/// The server checks it when it is used. Its description and mirror show the provider alone, never a password, a
/// token or a code. Credentials with the same content are equal.
#if canImport(ObjectiveC)
  @objc(FIRAuthCredential)
#endif
public class AuthCredential: NSObject, CustomReflectable, @unchecked Sendable {
  // Unchecked because a class with subclasses cannot be checked. All stored properties are constants.

  /// The provider that the credential is for, such as `google.com`.
  public let provider: String
  private let sealed: Secret<CredentialContent>

  /// The content, to be sent.
  var content: CredentialContent { sealed.reveal() }

  init(provider: String, content: CredentialContent) {
    self.provider = provider
    sealed = Secret(content)
  }

  /// Makes a credential of any provider from the fields of one of its credential builders.
  ///
  /// `authgraph plugin check` and the console's `providers["discord.com"].credentials` show the fields of a provider.
  /// `idToken`, `accessToken`, `secret` and `nonce` mean the same for all providers. `password` takes `email` and
  /// either `password` or `link`; `phone` takes `verificationID` and `verificationCode`. If no builder of the
  /// provider fits the fields, using the credential throws ``AuthErrorCode/invalidCredential``.
  ///
  /// This is an extension: Firebase's SDK can only make credentials of the providers it knows.
  public convenience init(provider: String, fields: [String: String]) {
    self.init(provider: provider, content: CredentialContent(provider: provider, fields: fields))
  }

  /// Returns true for a credential with the same provider and content.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AuthCredential else { return false }
    return provider == other.provider && content == other.content
  }

  /// A hash of the provider and the content.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(provider)
    hasher.combine(content)
    return hasher.finalize()
  }

  /// The provider alone.
  public override var description: String { "\(provider) credential" }

  /// The provider alone.
  public override var debugDescription: String { description }

  /// Shows the provider alone.
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
