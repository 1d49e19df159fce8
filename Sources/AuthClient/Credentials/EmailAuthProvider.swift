public import Foundation

/// Makes credentials of e-mail addresses.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIREmailAuthProvider)
#endif
public final class EmailAuthProvider: NSObject {
  /// The provider ID: `password`.
  public static let id = "password"

  /// Makes a credential of an address and the password of its account.
  public static func credential(withEmail email: String, password: String) -> AuthCredential {
    AuthCredential(provider: id, content: .password(email: email, password: password))
  }

  /// Makes a credential of an address and the sign-in link that was sent to it.
  ///
  /// A link without a code is refused with ``AuthErrorCode/invalidActionCode`` when the credential is used.
  public static func credential(withEmail email: String, link: String) -> AuthCredential {
    AuthCredential(provider: id, content: .emailLink(email: email, link: link))
  }
}

extension EmailAuthProvider {
  /// Cuts the code out of a sign-in link.
  ///
  /// Throws ``AuthErrorCode/invalidActionCode`` where the link has none.
  static func signInCode(of link: String) throws -> String {
    guard let code = ActionCodeURL(link: link)?.code, !code.isEmpty else {
      throw NSError.auth(
        .invalidActionCode,
        message: "The sign-in link has no code. Pass the whole link of the e-mail.")
    }
    return code
  }
}
