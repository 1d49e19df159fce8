import AuthValues
public import Foundation

/// What somebody shows to say who they are: an opaque value that a provider's class makes.
///
/// It is checked by the server when it is used. Its description and its mirror show the provider alone, never
/// a password, a token or a code. Credentials with the same content are equal.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAuthCredential)
#endif
public class AuthCredential: NSObject, CustomReflectable, @unchecked Sendable {
  // Unchecked because a class that has subclasses cannot be checked: here and in them are constants alone.

  /// The provider that the credential is for, such as `google.com`.
  public let provider: String
  private let sealed: Secret<CredentialContent>

  /// What is in it, to be sent.
  var content: CredentialContent { sealed.reveal() }

  init(provider: String, content: CredentialContent) {
    self.provider = provider
    sealed = Secret(content)
  }

  /// Makes a credential of any provider from the fields of one of its credential builders.
  ///
  /// `authgraph plugin check` and the console's `providers["discord.com"].credentials` show which fields a
  /// provider takes; `idToken`, `accessToken`, `secret` and `nonce` mean the same to all of them. One of
  /// `password` has `email` and either `password` or `link`, one of `phone` has `verificationID` and
  /// `verificationCode`. Where no builder of the provider fits what is given, using the credential throws
  /// ``AuthErrorCode/invalidCredential``.
  ///
  /// This is an extension: Firebase's SDK can only make credentials of the providers it knows.
  public convenience init(provider: String, fields: [String: String]) {
    self.init(provider: provider, content: CredentialContent(provider: provider, fields: fields))
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AuthCredential else { return false }
    return provider == other.provider && content == other.content
  }

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

  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
