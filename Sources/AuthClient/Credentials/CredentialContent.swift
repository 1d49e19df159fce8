/// What is in a credential, by the request that it is sent with.
enum CredentialContent: Sendable, Hashable {
  case password(email: String, password: String)
  /// The link is kept as it came; `EmailAuthProvider.signInCode(of:)` cuts its code out.
  case emailLink(email: String, link: String)
  case federated(FederatedValues)
  case phone(PhoneAuthCredential.Proof)

  /// Sorts the fields of a credential builder.
  init(provider: String, fields: [String: String]) {
    let proof = PhoneAuthCredential.Proof(fields: fields)
    switch (provider, fields["email"], fields["password"], fields["link"]) {
    case (EmailAuthProvider.id, let email?, let password?, _):
      self = .password(email: email, password: password)
    case (EmailAuthProvider.id, let email?, _, let link?):
      self = .emailLink(email: email, link: link)
    case (PhoneAuthCredential.providerID, _, _, _):
      self = proof.map(CredentialContent.phone) ?? .federated(FederatedValues(fields: fields))
    default:
      self = .federated(FederatedValues(fields: fields))
    }
  }
}
