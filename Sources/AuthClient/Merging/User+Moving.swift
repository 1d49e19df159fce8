import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Brings an identity of another account that the same person is signed in to: it belongs to this account afterwards.
  ///
  /// It resolves a conflict if only one identity is in the wrong account: sign in to that account too, and show the
  /// credential of the identity once more. To join the two accounts as a whole, use ``Auth/merge(_:into:policy:)``.
  ///
  /// ```swift
  /// let user = Auth.auth().currentUser!
  /// let other = try await Auth.auth().signIn(withEmail: email, password: password).user
  /// try await user.link(with: credential, from: other)
  /// ```
  ///
  /// Both users keep their sessions, except those that began with the identity; an address or a number goes with its
  /// identity, and then all sessions of the other account end. An admin can undo the move.
  ///
  /// Throws:
  ///
  /// - `operationNotAllowed` (17006) with the reason: the credential is not one of the other account, it is the last
  ///   way to sign in to it, or this account has another address or number.
  /// - `requiresRecentLogin` (17014) if one of the sign-ins is not recent, and `secondFactorRequired` (17078) if one has
  ///   not shown the second factor of its account.
  /// - `providerAlreadyLinked` (17015), `invalidCredential` (17004), and `userTokenExpired`, `userDisabled` or
  ///   `userNotFound` of either account.
  @discardableResult
  public func link(with credential: AuthCredential, from other: User) async throws -> User {
    let shown = try credential.moveMembers
    try await User.changingTokens(of: self, and: other) { own, source in
      var members = shown
      members["sourceIdToken"] = .string(source)
      members["idToken"] = .string(own)
      return try await self.auth.toolkit.call(.move, members)
    } taking: { _ in
      // The identity has moved; what follows only updates the two objects.
      try await self.reloadInTurn()
      try? await other.reloadInTurn()
    }
    return self
  }
}

extension AuthCredential {
  /// The members of a request that show the credential without a sign-in.
  fileprivate var moveMembers: [String: JSONValue] {
    get throws {
      switch content {
      case .password(let email, let password):
        ["email": .string(email), "password": .string(password)]
      case .emailLink(let email, let link):
        ["email": .string(email), "oobCode": .string(try EmailAuthProvider.signInCode(of: link))]
      case .phoneCode(let verificationID, let code):
        ["sessionInfo": .string(verificationID), "code": .string(code)]
      case .phoneProof(let number, let proof):
        ["phoneNumber": .string(number), "temporaryProof": .string(proof)]
      case .federated(let values): values.requestMembers(provider: provider)
      }
    }
  }
}

// MARK: - Completions

extension User {
  /// Runs ``link(with:from:)`` and calls back on the main queue.
  public func link(
    with credential: AuthCredential, from other: User,
    completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.link(with: credential, from: other) }
  }
}
