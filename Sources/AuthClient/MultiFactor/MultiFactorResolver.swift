import AuthValues
public import Foundation
import IdentityToolkit

/// A pending sign-in or link that requires a second factor.
///
/// The error `secondFactorRequired` (17078) has it under ``AuthErrors/userInfoMultiFactorResolverKey``.
#if canImport(ObjectiveC)
  @objc(FIRMultiFactorResolver)
#endif
public final class MultiFactorResolver: NSObject, CustomReflectable, Sendable {
  /// The session to pass when a code is requested.
  public let session: MultiFactorSession
  /// The factors, one of which is required.
  public let hints: [MultiFactorInfo]
  /// The client that the sign-in belongs to.
  public let auth: Auth
  private let purpose: Auth.Purpose

  init(
    pendingCredential: String, hints: [MultiFactorInfo], auth: Auth, purpose: Auth.Purpose
  ) {
    self.purpose = purpose
    session = MultiFactorSession(.signIn(pendingCredential: pendingCredential))
    self.hints = hints
    self.auth = auth
  }

  /// Shows the hints alone.
  public var customMirror: Mirror { Mirror(self, children: ["hints": hints]) }

  /// Proves the factor and completes the pending sign-in, link or reauthentication.
  ///
  /// Throws `invalidVerificationCode`, `sessionExpired` or `invalidMultiFactorSession`. Another attempt is possible
  /// after the first of these.
  public func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
    var members = try assertion.signIn()
    members["mfaPendingCredential"] = .string(try session.pendingCredential())
    return try await purpose.inTurn { [members, auth, purpose] in
      let fields = try await assertion.explaining {
        try await auth.toolkit.call(.resolveFactor, members)
      }
      let answer = try SignInAnswer(fields, now: auth.now())
      return try await auth.carryOut(purpose, with: answer)
    }
  }
}

// MARK: - Completions

extension MultiFactorResolver {
  /// Runs ``resolveSignIn(with:)`` and calls back on the main queue.
  public func resolveSignIn(
    with assertion: MultiFactorAssertion,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.resolveSignIn(with: assertion) }
  }
}
