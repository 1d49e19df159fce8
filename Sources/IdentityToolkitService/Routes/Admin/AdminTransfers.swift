import AuthCore
import IdentityToolkit
import SessionTokens

/// Splits of accounts and moves of identities; `merges/{id}:undo` undoes them too.
extension AdminOperation {
  private static let project = "/projects/{project}"

  private static let identity = Schema.object([
    "providerID": Schema.text, "uid": Schema.text, "issuer?": Schema.text,
  ])

  private static let split = [
    Schema.Member(
      "account", Schema.text, "The uid of the account that loses the identities.", required: true),
    Schema.Member(
      "identities", Schema.list(identity, most: RouteBounds.identities),
      "The identities that become the new account.", required: true),
    Schema.Member(
      "fields", Schema.map(most: 20),
      "The account that has a field's value afterwards: keep (the default), move or copy. An address and a number "
        + "follow their identities."),
    Schema.Member("uid", Schema.text, "The uid of the new account; a generated one by default."),
  ]

  private static let move = [
    Schema.Member(
      "account", Schema.text, "The uid of the account that loses the identity.", required: true),
    Schema.Member("to", Schema.text, "The uid of the account that gets it.", required: true),
    Schema.Member("identity", identity, "The identity.", required: true),
  ]

  private static let committing = [
    Schema.Member(
      "revisions", Schema.object(["account": Schema.number, "to?": Schema.number]),
      "The accounts' revisions in the plan; the change is refused if they changed."),
    Schema.Member(
      "force", Schema.flag, "Change the accounts even if one of them has no way to sign in then."),
  ]

  private static let refusals: [Int: String] = [
    403: "The fields cannot be separated, or the token lacks the scope.",
    404: "There is no such account.",
    409: "An account changed since it was planned.",
  ]

  static let transfers: [AdminOperation] = [
    AdminOperation(
      method: .post, path: "\(project)/splits:plan", id: "planSplit",
      summary: "Plans a new account of some identities of another, and writes nothing.",
      needs: .merge, body: split, answer: OpenAPI.reference("TransferPlan"), errors: refusals
    ) { .json(try await $0.splitPlan().adminJSON) },
    AdminOperation(
      method: .post, path: "\(project)/splits", id: "split",
      summary: "Makes a new account of some identities of another in one transaction.",
      needs: .merge, body: split + committing + writing, answer: OpenAPI.reference("Receipt"),
      errors: refusals
    ) { try await $0.commit(try await $0.splitPlan()) },
    AdminOperation(
      method: .post, path: "\(project)/moves:plan", id: "planMove",
      summary: "Plans a move of one identity to another account, and writes nothing.",
      needs: .merge, body: move, answer: OpenAPI.reference("TransferPlan"), errors: refusals
    ) { .json(try await $0.movePlan().adminJSON) },
    AdminOperation(
      method: .post, path: "\(project)/moves", id: "move",
      summary: "Moves one identity to another account in one transaction.",
      needs: .merge, body: move + committing + writing, answer: OpenAPI.reference("Receipt"),
      errors: refusals
    ) { try await $0.commit(try await $0.movePlan()) },
  ]
}

extension AdminHandler {
  fileprivate func splitPlan() async throws -> TransferPlan {
    let (account, rules) = (AccountID(try required("account")), try splitRules())
    return try await graph.planSplit(account, by: rules, in: scope)
  }

  private func splitRules() throws -> SplitRules {
    var rules = SplitRules(
      identities: try (body.objects("identities") ?? []).map { try identity($0, "identities") },
      uid: try body.filled("uid").map { AccountID($0) })
    if let fields = try body.object("fields") {
      for name in fields.members.keys.sorted() {
        let field = try SplitField(named: name)
        rules.fields[field] = try SplitChoice(name: try fields.filled(name) ?? "", field: field)
      }
    }
    return rules
  }

  fileprivate func movePlan() async throws -> TransferPlan {
    let (account, other) = (AccountID(try required("account")), AccountID(try required("to")))
    guard let entry = try body.object("identity") else {
      throw AuthError(
        .invalidArgument, "The field identity is missing.", field: "identity", remedy: "Send it.")
    }
    return try await graph.planMove(
      try identity(entry, "identity"), from: account, to: other, in: scope)
  }

  fileprivate func commit(_ plan: TransferPlan) async throws -> Answer {
    if let revisions = try body.object("revisions") {
      let source = try revisions.integer("account") ?? plan.source.revision
      let target = try revisions.integer("to") ?? plan.target?.revision
      guard source == plan.source.revision, target == plan.target?.revision else {
        throw AuthError(
          .planOutdated, "An account changed after the change was planned.", field: "revisions",
          remedy: "Plan it again, and review the differences.", step: .decision)
      }
    }
    let receipt = try await graph.commit(
      plan, force: try body.bool("force") ?? false, by: try administrator())
    return .json(receipt.adminJSON)
  }

  private func identity(_ entry: WireFields, _ field: String) throws -> IdentityKey {
    guard let provider = try entry.filled("providerID"), let subject = try entry.filled("uid")
    else {
      throw AuthError(
        .invalidArgument, "An identity has no providerID or no uid.", field: field,
        remedy: "Name it as providerData of the account does.")
    }
    return IdentityKey(
      ProviderID(provider), issuer: try entry.text("issuer") ?? "", subject: subject)
  }
}

extension TransferPlan {
  fileprivate var adminJSON: JSONValue {
    var plan: [String: JSONValue] = [
      "source": source.adminJSON, "sourceAfter": sourceAfter.adminJSON,
      "targetAfter": targetAfter.adminJSON, "fields": .array(fields.map(\.adminJSON)),
      "movedIdentities": .array(movedIdentities.map { .string($0.description) }),
      "cutSessions": .array(cutSessions.map { .string($0.rawValue) }),
      "shutAccounts": .array(shutAccounts.map { .string($0.rawValue) }),
      "notes": .array(notes.map(JSONValue.string)),
    ]
    plan["target"] = target?.adminJSON
    return .object(plan)
  }
}

extension TransferPlan.FieldOutcome {
  fileprivate var adminJSON: JSONValue {
    var outcome: [String: JSONValue] = ["field": .string(field.rawValue), "rule": .string(rule)]
    outcome.put("before", before)
    outcome.put("source", source)
    outcome.put("target", target)
    return .object(outcome)
  }
}
