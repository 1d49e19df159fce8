import AuthCore
import IdentityToolkit

extension WebSignIn {
  /// The outcome that an event reports.
  enum Outcome: Sendable, Hashable {
    /// The address and the session that `accounts:signInWithIdp` takes as `requestUri` and `sessionId`.
    case verified(address: String, session: String)
    /// A refusal, with the code that the JavaScript SDK has for it.
    case refused(code: String, message: String)

    /// The person's own refusal at the vendor.
    static let cancelled = Outcome.refused(
      code: "user-cancelled", message: "The person refused the sign-in at the provider.")

    static func refused(_ error: AuthError) -> Outcome {
      .refused(code: code(of: error), message: error.message)
    }

    static func refused(_ error: WireError) -> Outcome {
      let isCode = error.code.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
      // The SDK makes its own codes in the same way.
      let code = error.code.lowercased().replacing(bytes: ["_": "-"])
      // The event has the code in a member of its own.
      let message = error.message.trimmingPrefix("\(error.code) : ")
      return .refused(code: isCode ? code : "argument-error", message: String(message))
    }

    private static func code(of error: AuthError) -> String {
      switch error.code {
      case .networkRequestFailed, .pluginFailed, .invalidPlugin, .subjectReplaced,
        .identitySuspended:
        AuthError.Code.invalidCredential.rawValue
      case .invalidArgument: "argument-error"
      case .tooMuchContention: AuthError.Code.tooManyRequests.rawValue
      case .storeUnavailable, .unsureCommit: AuthError.Code.internalError.rawValue
      default: error.code.rawValue
      }
    }
  }
}
