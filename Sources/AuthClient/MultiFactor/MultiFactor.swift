import AuthValues
public import Foundation
import IdentityToolkit

/// An account's second factors.
#if canImport(ObjectiveC)
  @objc(FIRMultiFactor)
#endif
public final class MultiFactor: NSObject, Sendable {
  private let user: User

  init(user: User) {
    self.user = user
  }

  /// The account's factors, as of the last answer of the server.
  public var enrolledFactors: [MultiFactorInfo] { user.read(\.factors).map(\.info) }

  /// Begins an enrolment.
  public func session() async throws -> MultiFactorSession {
    _ = try await user.getIDToken()
    return MultiFactorSession(.enrollment(user))
  }

  /// Enrols a factor, proved by its first code.
  ///
  /// Throws `invalidVerificationCode`, `sessionExpired`, `secondFactorAlreadyEnrolled`,
  /// `maximumSecondFactorCountExceeded`, `unverifiedEmail`, `unsupportedFirstFactor` or `requiresRecentLogin`.
  public func enroll(with assertion: MultiFactorAssertion, displayName: String?) async throws {
    try await user.changingTokens { [user] token in
      var members = try assertion.enrollment()
      members["idToken"] = .string(token)
      members["displayName"] = displayName.map(JSONValue.string)
      return try await assertion.explaining {
        try await user.auth.toolkit.call(.enrollFactor, members)
      }
    } taking: { [user] in
      user.takeTokens(of: $0)
      try user.auth.changed(user)
      try await user.reloadInTurn()
    }
  }

  /// Removes a factor; see ``unenroll(withFactorUID:)``.
  public func unenroll(with info: MultiFactorInfo) async throws {
    try await unenroll(withFactorUID: info.uid)
  }

  /// Removes a factor.
  ///
  /// Throws `multiFactorInfoNotFound` or `requiresRecentLogin`. If that ends the session, the user is signed out.
  public func unenroll(withFactorUID uid: String) async throws {
    try await user.changingTokens { [user] in
      try await user.auth.toolkit.call(
        .withdrawFactor, ["idToken": .string($0), "mfaEnrollmentId": .string(uid)])
    } taking: { [user] in
      user.takeTokens(of: $0)
      try user.update { user in user.factors.removeAll { $0.uid == uid } }
      try await user.reloadInTurn()
    }
  }
}

/// The occasion for a second factor: an enrolment, or a pending sign-in.
#if canImport(ObjectiveC)
  @objc(FIRMultiFactorSession)
#endif
public final class MultiFactorSession: NSObject, CustomReflectable, Sendable {
  enum Purpose: Sendable {
    case enrollment(User)
    case signIn(pendingCredential: String)
  }

  let purpose: Purpose

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  /// Shows nothing, because the session's token opens the account.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  func enrollingUser() throws -> User {
    guard case .enrollment(let user) = purpose else {
      throw NSError.auth(
        .invalidMultiFactorSession,
        message: "The session is one of a sign-in. Take one of user.multiFactor.session().")
    }
    return user
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

// MARK: - Completions

extension MultiFactor {
  /// Runs ``session()`` and calls back on the main queue.
  public func getSessionWithCompletion(
    _ completion: ((MultiFactorSession?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.session() }
  }

  /// Runs ``enroll(with:displayName:)`` and calls back on the main queue.
  public func enroll(
    with assertion: MultiFactorAssertion, displayName: String?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.enroll(with: assertion, displayName: displayName) }
  }

  /// Runs ``unenroll(with:)`` and calls back on the main queue.
  public func unenroll(
    with info: MultiFactorInfo, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unenroll(with: info) }
  }

  /// Runs ``unenroll(withFactorUID:)`` and calls back on the main queue.
  public func unenroll(
    withFactorUID uid: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unenroll(withFactorUID: uid) }
  }
}
