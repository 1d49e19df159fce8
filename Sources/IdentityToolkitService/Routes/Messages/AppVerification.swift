public import AuthCore
import IdentityToolkit

/// Checks that a request for a code to a phone comes from the app itself, so that nobody else has messages
/// sent at its cost.
public protocol AppVerifying: Sendable {
  /// Checks what an app sent.
  ///
  /// Throws `quota-exceeded`, or anything else where it shows nothing.
  func verify(_ proof: AppProof, in scope: Scope) async throws
}

/// What an app shows to have itself known.
public enum AppProof: Sendable {
  case recaptcha(token: Secret<String>)
  case appleReceipt(Secret<String>, secret: Secret<String>)
  case playIntegrity(token: Secret<String>)
  case captcha(response: Secret<String>)
}

/// The check that only the app has codes sent to phones.
struct AppVerification: Sendable {
  let call: Call

  /// Lets only the app have codes sent, where an admin wants it; test numbers and admins need no proof.
  ///
  /// Throws `MISSING_APP_CREDENTIAL` or `INVALID_APP_CREDENTIAL`.
  func require(_ fields: WireFields, for number: PhoneNumber) async throws {
    guard !call.isPrivileged, let verifier = call.services.appVerifier else { return }
    if try await isTestNumber(number) { return }
    guard let proof = try AppProof(fields) else { throw WireError("MISSING_APP_CREDENTIAL") }
    do {
      try await verifier.verify(proof, in: call.scope)
    } catch let error as AuthError where error.code == .quotaExceeded {
      throw error
    } catch {
      throw WireError("INVALID_APP_CREDENTIAL")
    }
  }

  private func isTestNumber(_ number: PhoneNumber) async throws -> Bool {
    let phone = try await call.settings().providers[ProviderID.phone.rawValue]
    return phone?.values["testNumbers"]?[number.text] != nil
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
