public import Foundation

/// A credential of a phone: the code of a message, or the server's word that a number was proven.
///
/// An archive of one holds its code in the clear.
#if canImport(ObjectiveC)
  @objc(FIRPhoneAuthCredential)
#endif
public final class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  /// The provider ID of phones.
  static let providerID = "phone"

  /// What shows whose number it is.
  enum Proof: Sendable, Hashable {
    /// The code of a message.
    case code(verificationID: String, code: String)
    /// The server's word that it has seen the number proven; it signs in, and links nothing.
    case temporaryProof(phoneNumber: String, proof: String)
  }

  let proof: Proof

  init(_ proof: Proof) {
    self.proof = proof
    super.init(provider: Self.providerID, content: .phone(proof))
  }

  convenience init(verificationID: String, verificationCode: String) {
    self.init(.code(verificationID: verificationID, code: verificationCode))
  }

  convenience init(phoneNumber: String, temporaryProof: String) {
    self.init(.temporaryProof(phoneNumber: phoneNumber, proof: temporaryProof))
  }

  public static var supportsSecureCoding: Bool { true }

  /// Reads an archive; nil where it has neither a code nor a proof.
  public convenience init?(coder: NSCoder) {
    var fields: [String: String] = [:]
    for name in Proof.names { fields[name] = coder.text(name) }
    guard let proof = Proof(fields: fields) else { return nil }
    self.init(proof)
  }

  public func encode(with coder: NSCoder) {
    for (name, value) in proof.fields { coder.encode(text: value, name) }
  }
}

extension PhoneAuthCredential.Proof {
  static let names = ["verificationID", "verificationCode", "phoneNumber", "temporaryProof"]

  /// Takes the fields of a credential builder; nil where they are neither a code nor a proof.
  init?(fields: [String: String]) {
    if let id = fields["verificationID"], let code = fields["verificationCode"] {
      self = .code(verificationID: id, code: code)
    } else if let number = fields["phoneNumber"], let proof = fields["temporaryProof"] {
      self = .temporaryProof(phoneNumber: number, proof: proof)
    } else {
      return nil
    }
  }

  var fields: [String: String] {
    switch self {
    case .code(let id, let code): ["verificationID": id, "verificationCode": code]
    case .temporaryProof(let number, let proof):
      ["phoneNumber": number, "temporaryProof": proof]
    }
  }
}
