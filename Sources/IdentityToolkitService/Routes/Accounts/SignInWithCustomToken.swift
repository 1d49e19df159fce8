import AuthCore
import BuiltInProviders
import IdentityToolkit

extension AccountHandler {
  /// Signs in with a token made by the app's server, and opens the account if there is none.
  func signInWithCustomToken() async throws -> Answer {
    guard let token = try body.filled("token") else { throw WireError("MISSING_CUSTOM_TOKEN") }
    let kind: [String: JSONValue] = ["kind": "identitytoolkit#VerifyCustomTokenResponse"]
    let result: SignInResult
    do {
      result = try await graph.signIn(
        try graph.providers.credential(.custom, ["token": token]), by: caller)
    } catch let error as AuthError where error.code == .invalidCustomToken {
      throw Self.refusal(of: token, error)
    } catch let error as AuthError
      where error.code == .operationNotAllowed && UnsignedToken.payload(of: token) == nil
    {
      // No issuer could have made this text.
      throw WireError("INVALID_CUSTOM_TOKEN", "Invalid assertion format")
    } catch let error as AuthError where error.code == .secondFactorRequired {
      guard let resolver = error.resolver else { throw error }
      let gate = call.pendingSecondFactor(resolver).merging(["isNewUser": false]) { $1 }
      return .json(.object(kind.merging(gate) { $1 }))
    }
    guard let session = result.session else { throw WireError.internalError }
    var answer = kind.merging(["isNewUser": .bool(result.isNewUser)]) { $1 }
    answer.merge(
      try await call.tokens(for: session, result.account, mergedFrom: result.mergedFrom)
    ) { $1 }
    return .json(.object(answer))
  }

  /// Returns Firebase's error for an invalid token.
  ///
  /// Errors of claims were found after the signature had been verified.
  private static func refusal(of token: String, _ error: AuthError) -> WireError {
    let payload = UnsignedToken.payload(of: token)
    switch error.field {
    case "iss": return WireError("CREDENTIAL_MISMATCH")
    case "tenant_id": return WireError("TENANT_ID_MISMATCH")
    case "uid" where payload?["uid"] == nil: return WireError("MISSING_IDENTIFIER")
    case "claims":
      do throws(WireError) {
        _ = try WireClaims.members(payload?["claims"] ?? .null)
        return WireError("CLAIMS_TOO_LARGE")
      } catch {
        return error
      }
    default: return WireError("INVALID_CUSTOM_TOKEN", error.message)
    }
  }
}
