import AuthCore
import IdentityToolkit

/// Which kind of second factor a request is about.
enum FactorKind: Sendable, Hashable {
  case phone, totp
}

/// Enrolling, showing and withdrawing second factors.
struct MultiFactorHandler: RequestHandler {
  let call: Call

  /// Lets a request go on where the scope takes this kind of second factor.
  func requireFactors(_ kind: FactorKind) async throws {
    let settings = try await settings().signIn.multiFactor
    let isOpen = kind == .phone ? settings.allowsPhone : settings.allowsTOTP
    guard settings.state != .disabled, isOpen else {
      throw WireError(
        "OPERATION_NOT_ALLOWED",
        kind == .phone ? "SMS based MFA not enabled." : "TOTP based MFA not enabled.")
    }
  }

  /// The object of a body that has the values of this kind of factor.
  func factorFields(_ name: String) throws -> WireFields {
    guard let fields = try body.object(name) else {
      throw WireError("INVALID_ARGUMENT", "((Missing \(name).))")
    }
    return fields
  }

  /// The code and the session of a phone's verification.
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

  /// What is wrong with a code of a second factor, where it names no code that was sent.
  func codeError(_ error: AuthError) -> any Error {
    switch error.code {
    case .invalidVerificationID: WireError("INVALID_SESSION_INFO")
    case .codeExpired: behavior.endedFactorSession
    default: error
    }
  }
}
