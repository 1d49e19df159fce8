import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/merges"

  private static let pair = [
    Schema.Member("keep", Schema.text, "The uid of the account that stays.", required: true),
    Schema.Member(
      "absorb", Schema.text, "The uid of the account that is absorbed.", required: true),
    Schema.Member(
      "fields", Schema.map(most: 20),
      "A rule for each field that differs from the default: keep, theirs, newest, oldest, union (customClaims) or "
        + "verified (email)."),
    Schema.Member(
      "dropIdentities",
      Schema.list(
        Schema.object(["providerID": Schema.text, "uid": Schema.text, "issuer?": Schema.text]),
        most: RouteBounds.identities),
      "The identities to drop from the result."),
  ]

  static let writing = [
    Schema.Member("reason", Schema.text, "The reason, for the audit."),
    Schema.Member("dryRun", Schema.flag, "Rehearse: decide everything and write nothing."),
  ]

  static let merges: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listMerges", summary: "The merges, newest first.",
      needs: .audit,
      query: [
        Schema.Member("account", Schema.text, "The uid of an account that took part."),
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("merges", of: "Merge")
    ) { try await $0.listMerges() },
    AdminOperation(
      method: .post, path: "\(collection):plan", id: "planMerge",
      summary: "Plans a merge, and writes nothing.", needs: .merge, body: pair,
      answer: OpenAPI.reference("Plan"),
      errors: [404: "There is no such account.", 409: "The accounts cannot be merged."]
    ) { .json(try await $0.mergePlan().adminJSON) },
    AdminOperation(
      method: .post, path: collection, id: "merge",
      summary: "Merges two accounts in one transaction.",
      needs: .merge,
      body: pair + [
        Schema.Member(
          "revisions", Schema.object(["keep": Schema.number, "absorb": Schema.number]),
          "The accounts' revisions in the plan; the merge is refused if they changed.")
      ] + writing, answer: OpenAPI.reference("Receipt"),
      errors: [
        404: "There is no such account.",
        409: "The accounts cannot be merged, or changed since they were planned.",
      ]
    ) { try await $0.merge() },
    AdminOperation(
      method: .post, path: "\(collection)/{id}:undo", id: "undoMerge",
      summary: "Undoes a merge, a split or a move, and restores both accounts.", needs: .merge,
      body: [
        Schema.Member("force", Schema.flag, "Undo the merge even if later changes are lost."),
        Schema.Member(
          "keep", Schema.list(Schema.choice(KeptField.allCases.map(\.rawValue)), most: 20),
          "The fields whose later values the survivor of a merge keeps."),
        Schema.Member(
          "revive", Schema.flag,
          "Restore the accounts even if the merged account was deleted."),
      ] + writing, answer: OpenAPI.reference("Receipt"),
      errors: [404: "There is no such change.", 409: "It cannot be undone; the message says why."]
    ) { try await $0.undoMerge() },
  ]
}

extension AdminHandler {
  fileprivate func mergePlan() async throws -> MergePlan {
    let (keep, absorb) = (AccountID(try required("keep")), AccountID(try required("absorb")))
    return try await graph.planMerge(
      keep: keep, absorb: absorb, rules: try await mergeRules([keep, absorb]), in: scope)
  }

  fileprivate func merge() async throws -> Answer {
    let plan = try await mergePlan()
    if let revisions = try body.object("revisions") {
      let kept = try revisions.integer("keep") ?? plan.survivor.revision
      let absorbed = try revisions.integer("absorb") ?? plan.absorbed.revision
      guard kept == plan.survivor.revision, absorbed == plan.absorbed.revision else {
        throw AuthError(
          .planOutdated, "An account changed after the merge was planned.", field: "revisions",
          remedy: "Plan the merge again, and review the differences.", step: .decision)
      }
    }
    return .json(try await graph.commit(plan, by: try administrator()).adminJSON)
  }

  fileprivate func undoMerge() async throws -> Answer {
    var keep: Set<KeptField> = []
    for name in try body.texts("keep") ?? [] { keep.insert(try KeptField(named: name)) }
    let receipt = try await graph.undo(
      path["id"] ?? "", force: try body.bool("force") ?? false,
      revive: try body.bool("revive") ?? false, keep: keep, by: try administrator())
    return .json(receipt.adminJSON)
  }

  fileprivate func listMerges() async throws -> Answer {
    let limit = try pageLimit()
    let account = try query.filled("account").map { AccountID($0) }
    let token = try PageToken(query.filled("pageToken")).last
    let page = try await graph.merges(involving: account, before: token, limit: limit, in: scope)
    return .page("merges", page.map(\.adminJSON), next: page.count == limit ? page.last?.id : nil)
  }

  private func mergeRules(_ accounts: [AccountID]) async throws -> MergeRules {
    var rules = MergeRules()
    if let fields = try body.object("fields") {
      for name in fields.members.keys.sorted() {
        let field = try MergeField(named: name)
        rules.fields[field] = try FieldRule(
          name: try fields.filled(name) ?? "", field: field)
      }
    }
    for entry in try body.objects("dropIdentities") ?? [] {
      let provider = ProviderID(try entry.filled("providerID") ?? "")
      let subject = try entry.filled("uid") ?? ""
      rules.droppedIdentities.append(
        IdentityKey(provider, issuer: try entry.text("issuer") ?? "", subject: subject))
    }
    return rules
  }
}
