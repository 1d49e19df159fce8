import AuthCore

/// The result of a rehearsal.
struct Outcome: Sendable {
  enum Ending: Sendable {
    case identity(VerifiedIdentity)
    case refused(AuthError)
    /// The plug-in failed, or threw an error other than an ``AuthError``.
    case failed(String)
  }

  let ending: Ending
  let log: ReplayTransport.Log

  var identity: VerifiedIdentity? {
    if case .identity(let identity) = ending { identity } else { nil }
  }

  var refusal: AuthError? {
    if case .refused(let error) = ending { error } else { nil }
  }

  /// The result in words.
  var text: String {
    switch ending {
    case .identity(let identity):
      let key = identity.key.map { $0.issuer.isEmpty ? $0.subject : "\($0.issuer)/\($0.subject)" }
      let email = identity.profile.email.map {
        ", \($0) \(identity.emailVerified ? "verified" : "unverified")"
      }
      return "the sign-in of \(key ?? "an identity without a subject")\(email ?? "")"
    case .refused(let error): return "\(error)".withoutFullStop
    case .failed(let what): return what
    }
  }
}

extension Outcome {
  /// Converts an error of `verify`.
  static func ending(_ error: any Error) -> Ending {
    guard let error = error as? AuthError else {
      return .failed("an error that is no AuthError: \(String(reflecting: error))")
    }
    guard error.code == .pluginFailed || error.code == .invalidPlugin else {
      return .refused(error)
    }
    let cause = (error.cause as? AuthError)?.message
    return .failed("a mistake of the plug-in at \((cause ?? error.message).withoutFullStop)")
  }
}

extension String {
  /// The text without its final full stop, for use inside a sentence.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// The text with a mark at its end.
  var sentence: String { last.map { ".?!".contains($0) } == true ? self : self + "." }
}
