/// What is in a credential, by the request that it is sent with.
enum CredentialContent: Sendable, Hashable {
  case password(email: String, password: String)
  /// The link is kept as it came; `EmailAuthProvider.signInCode(of:)` cuts its code out.
  case emailLink(email: String, link: String)
  case federated(FederatedValues)
  case phoneCode(verificationID: String, code: String)
  /// A number that the server has seen proven, and its proof, which only signs in.
  case phoneProof(number: String, proof: String)

  /// Sorts the fields of a credential builder.
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
