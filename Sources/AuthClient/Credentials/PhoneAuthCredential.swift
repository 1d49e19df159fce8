public import Foundation

/// A credential of a phone: a sent code, or the server's proof of a verified number.
///
/// An archive holds the code in the clear.
#if canImport(ObjectiveC)
  @objc(FIRPhoneAuthCredential)
#endif
public final class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  /// The provider ID of phones.
  static let providerID = "phone"

  init(verificationID: String, verificationCode: String) {
    super.init(
      provider: Self.providerID,
      content: .phoneCode(verificationID: verificationID, code: verificationCode))
  }

  init(phoneNumber: String, temporaryProof: String) {
    super.init(
      provider: Self.providerID, content: .phoneProof(number: phoneNumber, proof: temporaryProof))
  }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an archive; nil if it has neither a code nor a proof.
  public init?(coder: NSCoder) {
    let content: CredentialContent
    if let id = coder.text("verificationID"), let code = coder.text("verificationCode") {
      content = .phoneCode(verificationID: id, code: code)
    } else if let number = coder.text("phoneNumber"), let proof = coder.text("temporaryProof") {
      content = .phoneProof(number: number, proof: proof)
    } else {
      return nil
    }
    super.init(provider: Self.providerID, content: content)
  }

  /// Writes an archive, which holds the code in the clear.
  public func encode(with coder: NSCoder) {
    switch content {
    case .phoneCode(let verificationID, let code):
      coder.encode(text: verificationID, "verificationID")
      coder.encode(text: code, "verificationCode")
    case .phoneProof(let number, let proof):
      coder.encode(text: number, "phoneNumber")
      coder.encode(text: proof, "temporaryProof")
    case .password, .emailLink, .federated: break
    }
  }
}
