import AuthCore
import IdentityToolkit

/// Moves of an identity from one account to another by a person who is signed in to both.
struct MoveHandler: RequestHandler {
  let call: Call

  /// `accounts:move`: moves the identity of a credential from the account of `sourceIdToken` to that of `idToken`.
  func move() async throws -> Answer {
    let target = try await call.signedIn()
    let source = try await call.otherSignedIn(by: "sourceIdToken")
    let move = OwnMove(from: source.proof, to: target.proof)
    let result: OwnMoveResult
    do {
      result = try await perform(move)
    } catch let error as AuthError
      where [.operationNotAllowed, .lastSignInMethod].contains(error.code)
    {
      throw WireError("OPERATION_NOT_ALLOWED", error.message)
    }
    await letters.sendTakeBacks(of: result.receipt, result.account)
    return .json([
      "localId": .string(result.account.id.rawValue), "moveId": .string(result.receipt.id),
      "moved": .array(result.moved.map { .string($0.description) }),
    ])
  }

  private func perform(_ move: OwnMove) async throws -> OwnMoveResult {
    if try body.filled("requestUri") != nil || body.filled("pendingToken") != nil {
      return try await performFederated(move)
    }
    if let password = try body.filled("password") {
      guard let email = try body.email() else { throw WireError("MISSING_EMAIL") }
      let accounts = AccountHandler(call)
      let credential = try accounts.passwordCredential(email, password)
      do {
        return try await accounts.guessing(at: email) {
          try await graph.move(credential, by: move, client: client)
        }
      } catch let error as AuthError where error.code == .invalidCredential {
        throw WireError("INVALID_LOGIN_CREDENTIALS")
      }
    }
    if let code = try body.filled("oobCode") {
      guard let email = try body.email() else { throw WireError("MISSING_EMAIL") }
      let credential = try graph.providers.credential(
        .emailLink, ["email": email.text, "link": code])
      return try await graph.move(credential, by: move, client: client)
    }
    let credential = try graph.providers.credential(.phone, ShownPhone(call).fields)
    return try await graph.move(credential, by: move, client: client)
  }

  private func performFederated(_ move: OwnMove) async throws -> OwnMoveResult {
    let request = try await behavior.request(
      try IdPParameters(body, behavior), FederatedHandler(call))
    return try await graph.move(request.verified, by: move, client: client)
  }
}
