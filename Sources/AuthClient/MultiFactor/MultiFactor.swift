import AuthValues
public import Foundation
import IdentityToolkit

/// An account's second factors.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRMultiFactor)
#endif
public final class MultiFactor: NSObject, Sendable {
  private let user: User

  init(user: User) {
    self.user = user
  }

  /// The factors that the account has, as the server said last.
  public var enrolledFactors: [MultiFactorInfo] { user.read(\.factors).map(\.info) }

  /// Begins an enrolment.
  public func session() async throws -> MultiFactorSession {
    MultiFactorSession(.enrollment(idToken: try await user.getIDToken(), user))
  }

  /// Enrols the factor whose first code was right.
  ///
  /// Throws `invalidVerificationCode`, `sessionExpired`, `secondFactorAlreadyEnrolled`,
  /// `maximumSecondFactorCountExceeded`, `unverifiedEmail`, `unsupportedFirstFactor` or `requiresRecentLogin`.
  public func enroll(with assertion: MultiFactorAssertion, displayName: String?) async throws {
    try await user.withToken { token in
      var members = try assertion.enrollment()
      members["idToken"] = .string(token)
      members["displayName"] = displayName.map(JSONValue.string)
      user.takeTokens(of: try await user.auth.toolkit.call(.enrollFactor, members))
      try user.auth.changed(user)
      try await user.reload()
    }
  }

  /// Takes a factor away; see ``unenroll(withFactorUID:)``.
  public func unenroll(with info: MultiFactorInfo) async throws {
    try await unenroll(withFactorUID: info.uid)
  }

  /// Takes a factor away.
  ///
  /// Throws `multiFactorInfoNotFound` or `requiresRecentLogin`. Where the session is over by that, the user is
  /// signed out here.
  public func unenroll(withFactorUID uid: String) async throws {
    try await user.withToken { token in
      let fields = try await user.auth.toolkit.call(
        .withdrawFactor, ["idToken": .string(token), "mfaEnrollmentId": .string(uid)])
      user.takeTokens(of: fields)
      try user.update { user in user.factors.removeAll { $0.uid == uid } }
      try await user.reload()
    }
  }
}

/// Names what a second factor is asked for: an enrolment, or a sign-in that waits.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRMultiFactorSession)
#endif
public final class MultiFactorSession: NSObject, CustomReflectable, Sendable {
  enum Purpose: Sendable {
    case enrollment(idToken: String, User)
    case signIn(pendingCredential: String)
  }

  let purpose: Purpose

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  /// Shows nothing: what the session is known by opens the account.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  func enrollingToken() throws -> String {
    guard case .enrollment(let token, _) = purpose else {
      throw NSError.auth(
        .invalidMultiFactorSession,
        message: "The session is one of a sign-in. Take one of user.multiFactor.session().")
    }
    return token
  }

  func pendingCredential() throws -> String {
    guard case .signIn(let pending) = purpose else {
      throw NSError.auth(
        .invalidMultiFactorSession,
        message: "The session is one of an enrolment. Take that of the resolver.")
    }
    return pending
  }
}

// MARK: - Without waiting

extension MultiFactor {
  /// Does ``session()`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(getSessionWithCompletion:)
  #endif
  public func getSessionWithCompletion(
    _ completion: ((MultiFactorSession?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.session() }
  }

  /// Does ``enroll(with:displayName:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(enrollWithAssertion:displayName:completion:)
  #endif
  public func enroll(
    with assertion: MultiFactorAssertion, displayName: String?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.enroll(with: assertion, displayName: displayName) }
  }

  /// Does ``unenroll(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(unenrollWithInfo:completion:)
  #endif
  public func unenroll(
    with info: MultiFactorInfo, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unenroll(with: info) }
  }

  /// Does ``unenroll(withFactorUID:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(unenrollWithFactorUID:completion:)
  #endif
  public func unenroll(
    withFactorUID uid: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unenroll(withFactorUID: uid) }
  }
}
