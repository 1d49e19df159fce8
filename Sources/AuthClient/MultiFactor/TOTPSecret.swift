public import Foundation
import IdentityToolkit

/// The secret shared by an authenticator app and the server.
#if canImport(ObjectiveC)
  @objc(FIRTOTPSecret)
#endif
public final class TOTPSecret: NSObject, CustomReflectable, Sendable {
  private let key: String
  private let hashingAlgorithm: String?
  private let codeLength: Int64?
  let sessionInfo: String

  init?(_ fields: WireFields) {
    guard let key = fields.string("sharedSecretKey"), let session = fields.string("sessionInfo")
    else { return nil }
    self.key = key
    sessionInfo = session
    hashingAlgorithm = fields.string("hashingAlgorithm")
    codeLength = (try? fields.integer("verificationCodeLength")).flatMap { $0 }
  }

  /// Returns the secret in base 32, for typing.
  public func sharedSecretKey() -> String { key }

  /// Returns the secret as an `otpauth:` URL, for scanning; empty if the server left out a part.
  ///
  /// The account's name is usually its address, the issuer the app's name.
  public func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String {
    guard let hashingAlgorithm, let codeLength, !accountName.isEmpty, !issuer.isEmpty else {
      return ""
    }
    var parts = URLComponents()
    parts.scheme = "otpauth"
    parts.host = "totp"
    parts.path = "/\(issuer):\(accountName)"
    parts.queryItems = [
      URLQueryItem(name: "secret", value: key), URLQueryItem(name: "issuer", value: issuer),
      URLQueryItem(name: "algorithm", value: hashingAlgorithm),
      URLQueryItem(name: "digits", value: String(codeLength)),
    ]
    return parts.string ?? ""
  }

  /// A description without the secret.
  public override var description: String { "TOTPSecret" }

  /// Shows nothing of the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
