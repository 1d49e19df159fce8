public import Foundation

/// A factory of credentials for e-mail addresses.
#if canImport(ObjectiveC)
  @objc(FIREmailAuthProvider)
#endif
public final class EmailAuthProvider: NSObject {
  /// The provider ID: `password`.
  public static let id = "password"

  /// Makes a credential of an address and its account's password.
  public static func credential(withEmail email: String, password: String) -> AuthCredential {
    AuthCredential(provider: id, content: .password(email: email, password: password))
  }

  /// Makes a credential of an address and the sign-in link that was sent to it.
  ///
  /// If the link has no code, using the credential throws ``AuthErrorCode/invalidActionCode``.
  public static func credential(withEmail email: String, link: String) -> AuthCredential {
    AuthCredential(provider: id, content: .emailLink(email: email, link: link))
  }
}

extension EmailAuthProvider {
  /// Extracts the code of a sign-in link.
  ///
  /// Throws ``AuthErrorCode/invalidActionCode`` if the link has none.
  static func signInCode(of link: String) throws -> String {
    guard let code = ActionCodeURL(link: link)?.code, !code.isEmpty else {
      throw NSError.auth(
        .invalidActionCode,
        message: "The sign-in link has no code. Pass the whole link of the e-mail.")
    }
    return code
  }
}
