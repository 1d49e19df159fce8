import AuthCore
import Foundation
import IdentityToolkit
import SessionTokens

/// The emulator's stand-in for passkeys, which checks no signature.
struct EmulatedPasskeyHandler: RequestHandler {
  let call: Call

  /// `passkeyEnrollment:start`: returns the options with which a browser makes a key.
  func startEnrollment() async throws -> Answer {
    let account = try await call.signedIn().account
    let name = account.email?.text ?? account.id.rawValue
    return .json([
      "credentialCreationOptions": [
        "rp": ["name": .string(project), "id": "localhost"],
        "user": [
          "id": .string(Data(account.id.rawValue.utf8).base64EncodedString()),
          "name": .string(name), "displayName": .string(account.displayName ?? name),
        ],
        "challenge": .string(Self.newChallenge()),
        "pubKeyCredParams": [
          ["type": "public-key", "alg": .integer(-7)],
          ["type": "public-key", "alg": .integer(-257)],
        ],
        "timeout": 60000, "attestation": "none",
      ]
    ])
  }

  /// `passkeyEnrollment:finalize`: adds a key to the account.
  func finalizeEnrollment() async throws -> Answer {
    let response = try response("authenticatorRegistrationResponse")
    let signedIn = try await call.signedIn()
    let id = try keyID(of: response)
    let name = try body.filled("name") ?? body.filled("displayName") ?? "Unnamed Passkey"
    let graph = passkeyGraph
    do {
      let linked = try await graph.linkForSession(
        try graph.providers.credential(.passkey, ["credentialID": id, "name": name]),
        to: signedIn.account.id, showing: signedIn.token.secondFactor, by: signedIn.caller)
      var answer = try await call.tokens(for: linked.session, linked.account)
      answer["localId"] = .string(linked.account.id.rawValue)
      return .json(.object(answer))
    } catch let error as AuthError
      where error.code == .credentialAlreadyInUse || error.code == .providerAlreadyLinked
    {
      throw WireError("CREDENTIAL_ALREADY_IN_USE")
    }
  }

  /// `passkeySignIn:start`: returns the options with which a browser uses a key.
  func startSignIn() async throws -> Answer {
    .json([
      "credentialRequestOptions": [
        "challenge": .string(Self.newChallenge()), "rpId": "localhost",
        "userVerification": "required",
      ]
    ])
  }

  /// `passkeySignIn:finalize`: signs in with an enrolled key.
  ///
  /// An unknown key opens no account.
  func finalizeSignIn() async throws -> Answer {
    let id = try keyID(of: response("authenticatorAuthenticationResponse"))
    let graph = passkeyGraph
    let (scope, key) = (scope, IdentityKey(.passkey, subject: id))
    guard try await graph.store.read({ try $0.owner(of: key, in: scope) }) != nil else {
      throw WireError("PASSKEY_CREDENTIAL_NOT_FOUND")
    }
    do {
      let result = try await graph.signIn(
        try graph.providers.credential(.passkey, ["credentialID": id]), by: caller)
      guard let session = result.session else { throw WireError.internalError }
      return .json(.object(try await call.tokens(for: session, result.account)))
    } catch let error as AuthError {
      guard error.code == .secondFactorRequired, let resolver = error.resolver else { throw error }
      return .json(.object(call.pendingSecondFactor(resolver)))
    }
  }

  private var passkeyGraph: AccountGraph { graph.adding([EmulatedPasskeyProvider()]) }

  private func response(_ name: String) throws -> WireFields {
    guard let response = try body.object(name) else {
      throw WireError("MISSING_AUTHENTICATOR_RESPONSE")
    }
    return response
  }

  private func keyID(of response: WireFields) throws -> String {
    guard let id = try response.filled("id") else { throw WireError("INVALID_CREDENTIAL_ID") }
    return id
  }

  private static func newChallenge() -> String {
    Base64.url.text(RandomBytes.make(32))
  }
}

/// Accepts every key, as the emulator does; for the emulator's own routes alone.
private struct EmulatedPasskeyProvider: AuthProvider {
  let id = ProviderID.passkey
  let manifest = ProviderManifest(
    name: "Passkey", kind: .custom,
    builders: [
      CredentialBuilder(
        "credential",
        fields: [
          CredentialField("credentialID", "the ID of the key"),
          CredentialField("name", required: false, "what the person calls the key"),
        ])
    ])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: try credential.required("credentialID")),
      profile: IdentityProfile(displayName: credential["name"]))
  }
}
