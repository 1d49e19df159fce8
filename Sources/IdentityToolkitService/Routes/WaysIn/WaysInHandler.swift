import AuthCore
import IdentityToolkit

/// The ways into the account of an ID token: their list, and the end of those that the person does not want.
struct WaysInHandler: RequestHandler {
  let call: Call

  /// `accounts:waysIn`: lists the ways into the account.
  func list() async throws -> Answer {
    let account = try await call.signedIn().account
    let ways = try await graph.waysIn(of: account.id, in: scope)
    return .json(["localId": .string(account.id.rawValue), "waysIn": ways.json(for: .owner)])
  }

  /// `accounts:endWaysIn`: ends ways in, all or none, and returns those that stay, with the session that continues.
  func end() async throws -> Answer {
    let signedIn = try await call.signedIn()
    let names = try body.texts("waysIn") ?? []
    let result = try await refusingUnclear {
      try await graph.endWaysIn(
        names, of: signedIn.account.id,
        continuing: try behavior.continuation(of: signedIn, after: AccountHandler(call)),
        by: signedIn.caller)
    }
    await letters.sendTakeBacks(of: result.receipt, result.account)
    var answer: [String: JSONValue] = ["localId": .string(result.account.id.rawValue)]
    answer["waysIn"] = result.receipt.ways(into: result.account.id).json(for: .owner)
    if let next = try result.session?.get() {
      answer.merge(try await call.tokens(for: next, result.account)) { $1 }
    }
    return .json(.object(answer))
  }

  /// Converts the error of a name that no way in has, or several.
  ///
  /// Clients know no code of their own for it, and show this one with its reason.
  private func refusingUnclear<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError where [.ambiguous, .invalidArgument].contains(error.code) {
      throw WireError("OPERATION_NOT_ALLOWED", error.message)
    }
  }
}

extension Receipt {
  /// Returns the ways into an account that stay after the change; empty if the receipt lists none.
  func ways(into account: AccountID) -> [WayIn] {
    waysIn.first { $0.account == account }?.ways ?? []
  }
}

extension [WayIn] {
  func json(for audience: WayIn.Audience) -> JSONValue {
    .array(map { $0.json(for: audience) })
  }
}

extension RequestHandler {
  /// The member `waysIn` of an answer: the ways into an account that stay, as far as its receiver may see them.
  ///
  /// Firebase's clients ignore it. The emulator's answers have it not.
  func waysIn(
    after receipt: Receipt, of account: AccountID, for audience: WayIn.Audience
  ) -> [String: JSONValue] {
    let ways = receipt.ways(into: account)
    guard behavior.listsWaysIn, !ways.isEmpty else { return [:] }
    return ["waysIn": ways.json(for: audience)]
  }
}
