import AuthValues
public import Foundation
import IdentityToolkit

/// Completes a sign-in, or a link, that waits for a second factor.
///
/// The error `secondFactorRequired` (17078) has one under ``AuthErrors/userInfoMultiFactorResolverKey``.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRMultiFactorResolver)
#endif
public final class MultiFactorResolver: NSObject, CustomReflectable, Sendable {
  public let session: MultiFactorSession
  /// The factors of which one is to be shown.
  public let hints: [MultiFactorInfo]
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

  /// Shows the factor; what waited, a sign-in, a link or a reauthentication, is done then.
  ///
  /// Throws `invalidVerificationCode`, `sessionExpired` or `invalidMultiFactorSession`; after the first one may
  /// try again.
  public func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
    var members = try assertion.signIn()
    members["mfaPendingCredential"] = .string(try session.pendingCredential())
    let fields = try await auth.toolkit.call(.resolveFactor, members)
    let answer = try SignInAnswer(fields, now: auth.now())
    return try await auth.carryOut(purpose, with: answer)
  }
}

// MARK: - Without waiting

extension MultiFactorResolver {
  /// Does ``resolveSignIn(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(resolveSignInWithAssertion:completion:)
  #endif
  public func resolveSignIn(
    with assertion: MultiFactorAssertion,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.resolveSignIn(with: assertion) }
  }
}
