public import AuthCore
import IdentityToolkit

/// A check that a request for a phone code comes from the app itself.
///
/// It keeps others from sending messages at the app's cost.
public protocol AppVerifying: Sendable {
  /// Checks an app's proof.
  ///
  /// Throws `quota-exceeded`, or any other error if the proof is not valid.
  func verify(_ proof: AppProof, in scope: Scope) async throws
}

/// The proof that an app sends of its origin.
public enum AppProof: Sendable {
  case recaptcha(token: Secret<String>)
  case appleReceipt(Secret<String>, secret: Secret<String>)
  case playIntegrity(token: Secret<String>)
  case captcha(response: Secret<String>)
}

/// The check that a request for a phone code comes from the app.
struct AppVerification: Sendable {
  let call: Call

  /// Requires a proof if a verifier is set.
  ///
  /// Test numbers and admins need none.
  ///
  /// Throws `MISSING_APP_CREDENTIAL` or `INVALID_APP_CREDENTIAL`.
  func require(_ fields: WireFields, for number: PhoneNumber) async throws {
    guard !call.isPrivileged, let verifier = call.services.appVerifier else { return }
    if try await call.isTestNumber(number) { return }
    guard let proof = try AppProof(fields) else { throw WireError("MISSING_APP_CREDENTIAL") }
    do {
      try await verifier.verify(proof, in: call.scope)
    } catch let error as AuthError where error.code == .quotaExceeded {
      throw error
    } catch {
      throw WireError("INVALID_APP_CREDENTIAL")
    }
  }
}

extension AppProof {
  init?(_ fields: WireFields) throws(WireError) {
    if let token = try fields.filled("recaptchaToken") {
      self = .recaptcha(token: Secret(token))
    } else if let receipt = try fields.filled("iosReceipt"),
      let secret = try fields.filled("iosSecret")
    {
      self = .appleReceipt(Secret(receipt), secret: Secret(secret))
    } else if let token = try fields.filled("playIntegrityToken") {
      self = .playIntegrity(token: Secret(token))
    } else if let response = try fields.filled("captchaResponse") {
      self = .captcha(response: Secret(response))
    } else {
      return nil
    }
  }
}
