import AuthCore
import IdentityToolkit
import SessionTokens

/// Merges of two accounts that one person is signed in to.
struct MergeHandler: RequestHandler {
  let call: Call

  /// `accounts:planMerge`: returns the effects of merging the accounts of two ID tokens.
  func plan() async throws -> Answer {
    let merge = try await ownMerge()
    return .json(try await refusingMerges { try await graph.planMerge(merge) }.ownJSON(merge))
  }

  /// `accounts:merge`: merges the accounts of two ID tokens, and returns the session that continues.
  func merge() async throws -> Answer {
    let merge = try await ownMerge()
    let merged = try await refusingMerges { try await graph.merge(merge, client: client) }
    await letters.sendTakeBacks(of: merged.receipt, merged.account)
    var answer = try await call.tokens(
      for: merged.session, merged.account, mergedFrom: merged.mergedFrom)
    answer["mergeId"] = .string(merged.receipt.id)
    return .json(.object(answer))
  }

  /// Reads the two sessions of the body and the request for a merge.
  private func ownMerge() async throws -> OwnMerge {
    let survivor = try await call.signedIn()
    let absorbed = try await call.otherSignedIn(by: "absorbIdToken")
    var merge = OwnMerge(absorbed.proof, into: survivor.proof)
    switch try body.filled("policy") ?? "project" {
    case "project": merge.rules = .project
    case "survivor": merge.rules = .survivor
    default:
      throw WireError("INVALID_ARGUMENT", "policy is project or survivor.")
    }
    if let revisions = try body.object("revisions") {
      for name in revisions.members.keys {
        merge.revisions[AccountID(name)] = try revisions.integer(name)
      }
    }
    return merge
  }

  /// Converts the error of a refused merge.
  ///
  /// Unlike the error of a link, it gives the client the reason. The code that a policy gives a refusal is the reason
  /// of the error's item.
  private func refusingMerges<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError where error.code == .mergeRefused {
      var refusal = WireError("MERGE_REFUSED", error.message)
      if let code = error.refusalCode { refusal.reason = code }
      throw refusal
    } catch let error as AuthError where error.code == .planOutdated {
      throw WireError("PLAN_OUTDATED", error.message)
    }
  }
}

extension Call {
  /// Returns the account of a second ID token in the body, whose errors name the member.
  func otherSignedIn(by member: String) async throws -> SignedIn {
    guard let text = try body.filled(member) else { throw WireError("MISSING_ID_TOKEN", member) }
    do {
      return try await signedIn(by: text)
    } catch let error as WireError where error.message.hasPrefix("((") {
      // The token is a tenant's, and the other account is the project's own.
      throw WireError("TENANT_ID_MISMATCH", member)
    } catch let error as WireError where error.code == error.message {
      // The client has to learn which of its two sessions is over.
      throw WireError(error.code, member)
    }
  }
}

extension SignedIn {
  /// The session as a proof of its account's ownership.
  var proof: ProvenSession {
    ProvenSession(
      scope: caller.scope, account: account.id, signedInAt: caller.signedInAt,
      provider: token.provider, identity: identity,
      secondFactor: token.secondFactor, claims: token.sessionClaims(beside: account),
      mark: caller.mark)
  }
}

extension Caller {
  fileprivate var signedInAt: Timestamp {
    guard case .session(_, let signedInAt, _, _) = authority else {
      return Timestamp(milliseconds: 0)
    }
    return signedInAt
  }
}

extension MergePlan {
  /// Returns the plan as the client sees it, with the revisions that the client may send back.
  fileprivate func ownJSON(_ merge: OwnMerge) -> JSONValue {
    var plan: [String: JSONValue] = [
      "survivor": .string(survivor.id.rawValue), "absorbed": .string(absorbed.id.rawValue),
      "isReversed": .bool(survivor.id != merge.survivor.account),
      "fields": .array(fields.map(\.adminJSON)),
      "movedIdentities": .array(movedIdentities.map { .string($0.description) }),
      "droppedIdentities": .array(droppedIdentities.map { .string($0.description) }),
      "cutSessions": .array(cutSessions.map { .string($0.rawValue) }),
      "notes": .array(notes.map(JSONValue.string)), "decidedBy": .string(decidedBy),
      "revisions": .object(
        Dictionary(
          [survivor, absorbed].map { ($0.id.rawValue, .integer($0.revision)) },
          uniquingKeysWith: { first, _ in first })),
    ]
    plan["policyVersion"] = policyVersion?.wireJSON(role: policyRole)
    return .object(plan)
  }
}
