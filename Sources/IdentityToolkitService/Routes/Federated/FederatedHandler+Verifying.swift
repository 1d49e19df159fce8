import AuthCore
import IdentityToolkit

/// The verification of a request's credential, before any decision.
extension FederatedHandler {
  /// Finds the session, and then has the provider verify the credential.
  func verified(_ parameters: IdPParameters) async throws -> IdPRequest {
    let signedIn = try await call.signedInAsLastSeen()
    do {
      let (credential, taken) = try await withoutNonce(parameters) { parameters in
        try await verified(parameters, linkingTo: signedIn)
      }
      return IdPRequest(
        verified: credential, signedIn: signedIn, answer: IdPAnswer(credential.identity, taken),
        attributes: .null, returnsCredential: try body.bool("returnIdpCredential") ?? false)
    } catch {
      if signedIn != nil { _ = try await call.signedInIfAny() }
      throw error
    }
  }

  /// Verifies with all parameters, or without an ID token whose nonce is missing.
  ///
  /// Web clients give both tokens of a browser's sign-in back and cannot name its nonce; the access token suffices.
  private func withoutNonce(
    _ parameters: IdPParameters,
    _ verify: (IdPParameters) async throws -> VerifiedCredential
  ) async throws -> (VerifiedCredential, IdPParameters) {
    do {
      return (try await verify(parameters), parameters)
    } catch let error as AuthError where error.code == .missingOrInvalidNonce {
      guard parameters["nonce"] == nil, parameters["access_token"] != nil else { throw error }
      let fewer = parameters.without("id_token")
      do {
        return (try await verify(fewer), fewer)
      } catch is WireError {
        throw error
      }
    }
  }

  private func verified(
    _ parameters: IdPParameters, linkingTo signedIn: SignedIn?
  ) async throws -> VerifiedCredential {
    if let pending = try body.filled("pendingToken") ?? parameters["pending_token"] {
      return try await pendingCredential(pending, of: parameters.named, by: asking(signedIn))
    }
    return try await graph.verify(
      try await credential(of: parameters), linkingTo: signedIn?.account.id, with: .lastSeen,
      by: asking(signedIn))
  }

  /// Returns the credential that an earlier answer, or a browser's return, stored for this app.
  private func pendingCredential(
    _ token: String, of provider: ProviderID?, by caller: Caller
  ) async throws -> VerifiedCredential {
    do {
      let session = try body.filled("sessionId").map(BrowserReturn.digest(ofSession:))
      let verified = try await graph.pendingCredential(token, session: session, by: caller)
      guard provider == nil || verified.identity.provider == provider else {
        throw WireError("INVALID_PENDING_TOKEN")
      }
      return verified
    } catch let error as AuthError where error.code == .invalidCredential {
      throw WireError("INVALID_PENDING_TOKEN")
    }
  }
}
