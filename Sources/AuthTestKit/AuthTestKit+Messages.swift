public import AuthClient
import AuthCore
import AuthTesting
import BuiltInProviders
public import Foundation

/// The messages of people, and the codes of their authenticator apps.
extension AuthTestKit {
  /// The error of a test that expects a message which was not sent.
  public struct NoMessage: LocalizedError, Hashable {
    /// The address or the number.
    public let recipient: String
    /// The recipient, and what to check.
    public var errorDescription: String? {
      "Nothing with a code was sent to \(recipient). Check the address and the call that sends it."
    }
  }

  /// Returns the link or the code of the newest message to an address or a number; throws ``NoMessage``.
  public func message(to recipient: String) throws -> String {
    guard let message = mailbox.last(to: recipient) else { throw NoMessage(recipient: recipient) }
    return message.proof.reveal()
  }

  /// Returns the code of the newest link to an address, for ``Auth/applyActionCode(_:)`` and its like; throws
  /// ``NoMessage``.
  public func actionCode(to email: String) throws -> String {
    guard let code = ActionCodeURL(link: try message(to: email))?.code else {
      throw NoMessage(recipient: email)
    }
    return code
  }

  /// Sends a code to a number, and returns the credential of a person who enters it.
  ///
  /// Throws the errors of ``PhoneAuthProvider/verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``. With a session of
  /// ``MultiFactor/session()`` it enrols the number.
  public func phone(
    _ number: String, session: MultiFactorSession? = nil
  ) async throws -> PhoneAuthCredential {
    let provider = PhoneAuthProvider.provider(auth: auth)
    let id = try await provider.verifyPhoneNumber(number, multiFactorSession: session)
    return provider.credential(
      withVerificationID: id, verificationCode: try message(to: number))
  }

  /// Returns the code that an authenticator app shows for a secret at the time of the clock.
  ///
  /// A code works once; the next one comes after 30 seconds.
  public func code(of secret: TOTPSecret) -> String {
    HMACTOTP().code(for: Secret(secret.sharedSecretKey()), at: clock.now) ?? ""
  }
}
