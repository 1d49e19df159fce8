import AuthCore
import IdentityToolkit

extension AccountHandler {
  /// Signs in with an address and a password.
  func signInWithPassword() async throws -> Answer {
    guard try await isOpen(.password) else { throw WireError("PASSWORD_LOGIN_DISABLED") }
    guard let email = try body.email() else { throw WireError("MISSING_EMAIL") }
    guard let password = try body.filled("password") else { throw WireError("MISSING_PASSWORD") }
    try behavior.checkPasswordSignIn(body)
    let result: SignInResult
    do {
      let credential = try passwordCredential(email, password)
      result = try await guessing(at: email) {
        try await refusingAsFirebase { try await graph.signIn(credential, by: caller) }
      }
    } catch let error as AuthError where error.code == .invalidCredential {
      // The stored hash cannot be read, which only the log may reveal.
      if error.cause != nil {
        services.telemetry.fault(error, in: "signInWithPassword", request: client.requestID)
      }
      throw try await behavior.refusal(ofPasswordFor: email, settings().signIn, self)
    } catch let error as AuthError where error.code == .networkRequestFailed {
      // The old system of passwords cannot be asked; the log has the reason.
      services.telemetry.fault(error, in: "signInWithPassword", request: client.requestID)
      throw WireError.unavailable
    } catch let error as AuthError where error.code == .secondFactorRequired {
      // After a merge the password may belong to another address than the account's own.
      guard let resolver = error.resolver, let id = resolver.account,
        let account = try await graph.account(id, in: scope)
      else { throw error }
      return .json(
        .object(
          passwordAnswer(account, email).merging(call.pendingSecondFactor(resolver)) { $1 }))
    }
    guard let session = result.session else { throw WireError.internalError }
    var answer = passwordAnswer(result.account, email)
    answer.merge(
      try await call.tokens(for: session, result.account, mergedFrom: result.mergedFrom)
    ) { $1 }
    let policy = try await graph.settings(of: scope, age: .lastSeen).signIn.passwordPolicy
    let missing = behavior.announced(policy.missing(in: password))
    if !missing.isEmpty {
      answer["userNotifications"] = .array(missing.map(Self.notification))
    }
    return .json(.object(answer))
  }

  /// Checks a password and counts it if it is wrong.
  ///
  /// Refuses it after too many wrong ones.
  func guessing<Result>(
    at email: EmailAddress, _ check: () async throws -> Result
  ) async throws -> Result {
    let guesses = PasswordGuesses(
      at: email, from: client.address, in: scope,
      isPrivileged ? .none : services.limits.limits, services.limiter)
    return try await guesses.count(at: services.clock(), check)
  }

  private func passwordAnswer(_ account: Account, _ email: EmailAddress) -> [String: JSONValue] {
    var answer: [String: JSONValue] = [
      "kind": "identitytoolkit#VerifyPasswordResponse", "registered": true,
      "localId": .string(account.id.rawValue), "email": .string(email.text),
    ]
    behavior.addProfile(of: account, to: &answer)
    return answer
  }

  /// Makes the notification that an accepted password does not meet the policy.
  private static func notification(_ criterion: String) -> JSONValue {
    let message =
      switch criterion {
      case "MISSING_LOWERCASE_CHARACTER": "Password must contain a lower case character"
      case "MISSING_UPPERCASE_CHARACTER": "Password must contain an upper case character"
      case "MISSING_NUMERIC_CHARACTER": "Password must contain a numeric character"
      case "MISSING_NON_ALPHANUMERIC_CHARACTER":
        "Password must contain a non-alphanumeric character"
      case "MINIMUM_PASSWORD_LENGTH": "Password is too short"
      default: "Password is too long"
      }
    return ["notificationCode": .string(criterion), "notificationMessage": .string(message)]
  }
}

extension WireError {
  /// Makes the error of a wrong password, or of an address that no account has.
  static func wrongPassword(of account: Account?) -> WireError {
    WireError(account == nil ? "EMAIL_NOT_FOUND" : "INVALID_PASSWORD")
  }
}
