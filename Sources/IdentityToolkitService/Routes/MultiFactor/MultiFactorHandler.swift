import AuthCore
import IdentityToolkit

/// The kind of a second factor.
enum FactorKind: Sendable, Hashable {
  case phone, totp
}

/// Enrollment, use and withdrawal of second factors.
struct MultiFactorHandler: RequestHandler {
  let call: Call

  /// Throws unless the scope allows this kind of second factor.
  func requireFactors(_ kind: FactorKind) async throws {
    let settings = try await settings().signIn.multiFactor
    let isOpen = kind == .phone ? settings.allowsPhone : settings.allowsTOTP
    guard settings.state != .disabled, isOpen else {
      throw WireError(
        "OPERATION_NOT_ALLOWED",
        kind == .phone ? "SMS based MFA not enabled." : "TOTP based MFA not enabled.")
    }
  }

  /// Returns the object of a body that holds the fields of this kind of factor.
  func factorFields(_ name: String) throws -> WireFields {
    guard let fields = try body.object(name) else {
      throw WireError("INVALID_ARGUMENT", "((Missing \(name).))")
    }
    return fields
  }

  /// Returns the code and the session of a phone verification.
  func phoneVerification(_ fields: WireFields) throws -> (session: String, code: Secret<String>) {
    if fields.has("androidVerificationProof") {
      throw WireError.notImplemented("androidVerificationProof is unsupported.")
    }
    guard let code = try fields.filled("code") else { throw WireError("MISSING_CODE") }
    guard let session = try fields.filled("sessionInfo") else {
      throw WireError("MISSING_SESSION_INFO")
    }
    return (session, Secret(code))
  }

  /// Converts the error of a second factor's code that names no code sent before.
  func codeError(_ error: AuthError) -> any Error {
    switch error.code {
    case .invalidVerificationID: WireError("INVALID_SESSION_INFO")
    case .codeExpired: behavior.endedFactorSession
    default: error
    }
  }
}
