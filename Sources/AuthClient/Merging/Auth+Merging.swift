import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// Merges two accounts that the same person is signed in to: one goes up in the other.
  ///
  /// This is what the way with a conflict ends in: keep the current user, sign in with the credential that
  /// could not be linked, and merge the two:
  ///
  /// ```swift
  /// let prevUser = Auth.auth().currentUser!
  /// let result = try await Auth.auth().signIn(with: credential)
  /// let merged = try await Auth.auth().merge(prevUser, into: result.user)
  /// ```
  ///
  /// The result's user is the account that is left, and the current one from then on where either was. The
  /// server checks both sessions, so nobody merges an account that is not theirs, and an admin can undo it. To
  /// look first at what would happen see ``planMerge(of:into:policy:)``.
  ///
  /// Throws `requiresRecentLogin` (17014) where one of the two sign-ins is not recent, which those of anonymous
  /// users need not be: have that user ``User/reauthenticate(with:)`` and merge again, for a session that somebody
  /// found must not bring a stranger's ways in. Throws `operationNotAllowed` (17006), with the reason, where the
  /// project's policy refuses, and `userTokenExpired`, `userDisabled` or `userNotFound` of either account.
  @discardableResult
  public func merge(
    _ user: User, into survivor: User, policy: AccountMergePolicy = .project
  ) async throws -> AuthDataResult {
    try await commit(AccountMergePlan.Merge(user: user, survivor: survivor, policy: policy))
  }

  /// Says what ``merge(_:into:policy:)`` would do; nothing is written before the plan's
  /// ``AccountMergePlan/commit()``.
  public func planMerge(
    of user: User, into survivor: User, policy: AccountMergePolicy = .project
  ) async throws -> AccountMergePlan {
    let merge = AccountMergePlan.Merge(user: user, survivor: survivor, policy: policy)
    let fields = try await toolkit.call(.planMerge, try await merge.members())
    guard let plan = AccountMergePlan(fields, merge) else {
      throw NSError.answer(without: "survivor")
    }
    return plan
  }

  func commit(_ merge: AccountMergePlan.Merge) async throws -> AuthDataResult {
    let fields = try await toolkit.call(.merge, try await merge.members())
    let answer = try SignInAnswer(fields, now: now())
    // Whichever account is left, its own object goes on, so that who holds it sees the result.
    let left = [merge.survivor, merge.user].first { $0.uid == answer.uid && $0.auth === self }
    // The merge is made, and the old tokens may be over: the new ones are kept before anything else can fail.
    try left?.keep(answer.tokens)
    let isAnonymous = merge.survivor.isAnonymous && merge.user.isAnonymous
    let record = try await toolkit.lookup(answer.tokens.idToken)
    let user = left ?? user(record, answer, isAnonymous: isAnonymous)
    try user.update { user in
      record.update(&user)
      user.isAnonymous = isAnonymous && user.providers.isEmpty
    }
    try become(user, inPlaceOf: [merge.survivor.uid, merge.user.uid])
    return AuthDataResult(user: user, answer)
  }
}

extension AccountMergePlan.Merge {
  /// The members of a request: both tokens, which are the proof of both accounts.
  fileprivate func members() async throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "idToken": .string(try await survivor.getIDToken()),
      "absorbIdToken": .string(try await user.getIDToken()), "policy": .string(policy.name),
    ]
    members["revisions"] = revisions
    return members
  }
}
