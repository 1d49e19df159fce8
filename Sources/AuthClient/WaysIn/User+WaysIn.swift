import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Returns the ways into the account: identities, second factors, sessions, its mailbox and the app's tokens.
  ///
  /// Show them after a password reset, a change of address or a recovery, because another person who had the account
  /// may have left one.
  public func waysIn() async throws -> [AccountWayIn] {
    try await withToken { token in
      try await auth.toolkit.call(.waysIn, ["idToken": .string(token)]).waysIn
    }
  }

  /// Ends ways into the account, all or none, and returns those that stay.
  ///
  /// ```swift
  /// let unknown = try await user.waysIn().filter { $0.kind == "provider" || $0.kind == "sessions" }
  /// try await user.endWaysIn(unknown)
  /// ```
  ///
  /// Identities are unlinked, second factors are removed, and other sessions end; this user stays signed in.
  ///
  /// Throws `requiresRecentLogin` (17014), also without the second factor of the account, and `operationNotAllowed`
  /// (17006) if no way to sign in would stay, if one of them cannot be ended, or if the account has it no more: list them
  /// again then.
  @discardableResult
  public func endWaysIn(_ ways: [AccountWayIn]) async throws -> [AccountWayIn] {
    try await changingTokens {
      try await self.auth.toolkit.call(
        .endWaysIn,
        [
          "idToken": .string($0), "waysIn": .array(ways.map { .string($0.id) }),
          "returnSecureToken": true,
        ])
    } taking: {
      self.takeTokens(of: $0)
      try self.auth.changed(self)
      try await self.reloadInTurn()
      return $0.waysIn
    }
  }
}

extension Auth {
  /// Sets a new password like ``confirmPasswordReset(withCode:newPassword:)``, and returns the ways into the account that
  /// stay.
  ///
  /// The code proves the mailbox alone, so the list shows kinds, providers and masked values. ``User/waysIn()`` has the
  /// rest after the sign-in.
  public func waysIn(
    afterPasswordResetWithCode code: String, newPassword: String
  ) async throws -> [AccountWayIn] {
    guard !newPassword.isEmpty else { throw NSError.missingPassword }
    return try await toolkit.call(
      .resetPassword, ["oobCode": .string(code), "newPassword": .string(newPassword)]
    ).waysIn
  }

  /// Performs the operation of a code like ``applyActionCode(_:)``, and returns the ways into the account that stay, like
  /// ``waysIn(afterPasswordResetWithCode:newPassword:)``.
  public func waysIn(afterApplyingActionCode code: String) async throws -> [AccountWayIn] {
    try await toolkit.call(.update, ["oobCode": .string(code)]).waysIn
  }
}

// MARK: - Completions

extension User {
  /// Runs ``waysIn()`` and calls back on the main queue.
  public func waysIn(
    completion: (([AccountWayIn]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.waysIn() }
  }

  /// Runs ``endWaysIn(_:)`` and calls back on the main queue.
  public func endWaysIn(
    _ ways: [AccountWayIn], completion: (([AccountWayIn]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.endWaysIn(ways) }
  }
}

extension Auth {
  /// Runs ``waysIn(afterPasswordResetWithCode:newPassword:)`` and calls back on the main queue.
  public func waysIn(
    afterPasswordResetWithCode code: String, newPassword: String,
    completion: (([AccountWayIn]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.waysIn(afterPasswordResetWithCode: code, newPassword: newPassword)
    }
  }

  /// Runs ``waysIn(afterApplyingActionCode:)`` and calls back on the main queue.
  public func waysIn(
    afterApplyingActionCode code: String,
    completion: (([AccountWayIn]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.waysIn(afterApplyingActionCode: code) }
  }
}
