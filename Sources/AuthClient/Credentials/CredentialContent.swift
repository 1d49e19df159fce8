/// The content of a credential, by the request that sends it.
enum CredentialContent: Sendable, Hashable {
  case password(email: String, password: String)
  /// The unchanged link, whose code `EmailAuthProvider.signInCode(of:)` extracts.
  case emailLink(email: String, link: String)
  case federated(FederatedValues)
  case phoneCode(verificationID: String, code: String)
  /// A number that the server has verified, and its proof, which only signs in.
  case phoneProof(number: String, proof: String)

  /// Picks the content that the fields of a credential builder stand for.
  init(provider: String, fields: [String: String]) {
    switch (provider, fields["email"], fields["password"], fields["link"]) {
    case (EmailAuthProvider.id, let email?, let password?, _):
      self = .password(email: email, password: password)
    case (EmailAuthProvider.id, let email?, _, let link?), ("emailLink", let email?, _, let link?):
      self = .emailLink(email: email, link: link)
    case (PhoneAuthCredential.providerID, _, _, _) where fields["verificationID"] != nil:
      self = .phoneCode(
        verificationID: fields["verificationID"] ?? "", code: fields["verificationCode"] ?? "")
    case (PhoneAuthCredential.providerID, _, _, _) where fields["temporaryProof"] != nil:
      self = .phoneProof(
        number: fields["phoneNumber"] ?? "", proof: fields["temporaryProof"] ?? "")
    default:
      self = .federated(FederatedValues(fields: fields))
    }
  }
}
