import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let policy = "/projects/{project}/policy"

  static let policyVersions: [AdminOperation] = [
    AdminOperation(
      method: .get, path: "\(policy)/versions", id: "listPolicyVersions",
      summary: "The versions of the merge policies, newest first.", needs: .config,
      query: [
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("versions", of: "PolicyVersion")
    ) { try await $0.listPolicyVersions() },
    AdminOperation(
      method: .get, path: "\(policy)/versions/{id}", id: "getPolicyVersion",
      summary: "A version of the merge policies, with its text.", needs: .config,
      answer: OpenAPI.reference("PolicyVersion")
    ) { handler in
      let number = Int(handler.path["id"] ?? "") ?? 0
      let version = try await handler.graph.policyVersion(number, in: handler.scope)
      return .json(version.adminJSON(withText: true))
    },
    AdminOperation(
      method: .post, path: "\(policy):rollback", id: "rollBackPolicy",
      summary: "Puts the text of an earlier version to use again, as a new version.",
      needs: .config,
      body: [
        Schema.Member("version", Schema.number, "The number of the version.", required: true)
      ] + writing, answer: OpenAPI.reference("Receipt")
    ) { handler in
      guard let number = try handler.body.integer("version").flatMap(Int.init(exactly:)) else {
        throw AuthError(
          .invalidArgument, "The field version is missing.", field: "version", remedy: "Send it.")
      }
      let receipt = try await handler.graph.rollBackPolicy(
        to: number, by: try handler.administrator()
      ).receipt
      return .json(receipt.adminJSON)
    },
    AdminOperation(
      method: .post, path: "\(policy):promote", id: "promotePolicy",
      summary: "Puts the policy on trial to use, or lets the policy that advises decide.",
      needs: .config, body: writing, answer: OpenAPI.reference("Receipt")
    ) { handler in
      let receipt = try await handler.graph.promotePolicy(by: try handler.administrator()).receipt
      return .json(receipt.adminJSON)
    },
  ]
}

extension AdminHandler {
  fileprivate func listPolicyVersions() async throws -> Answer {
    let limit = try pageLimit()
    let before = try PageToken(query.filled("pageToken")).last.flatMap { Int($0) }
    let versions = try await graph.policyHistory(before: before, limit: limit, in: scope)
    let last = versions.count == limit ? versions.last : nil
    return .page(
      "versions", versions.map { $0.adminJSON(withText: false) },
      next: last.map { "\($0.number)" })
  }

  /// Returns the way in which the body puts a policy to use.
  func policyUse() throws -> PolicyUse {
    let name = try body.filled("level")
    let level = name.flatMap(PolicyLevel.init(rawValue:))
    if let name, level == nil {
      throw AuthError(
        .invalidArgument, "There is no level \"\(name)\".", field: "level",
        remedy: suggestion(for: name, among: PolicyLevel.allCases.map(\.rawValue)))
    }
    guard let text = try body.filled("canary") else { return PolicyUse(level ?? .decide) }
    guard let share = Double(text), level == nil || level == .decide else {
      throw AuthError(
        .invalidArgument, "A canary decides a share of the pairs, so its level is decide.",
        field: "canary", remedy: "Give canary as a number between 0 and 1, without a level.")
    }
    return try PolicyUse(canary: share)
  }

  /// Returns the policy in use, with the one on trial beside it, or that one alone; nil if there is none.
  func shownPolicy() async throws -> JSONValue? {
    let settings = try await settings()
    let trial = try settings.policyTrial.map { trial in
      var members = try document(of: trial.source, trial.version)
      members["level"] = .string((trial.share == nil ? PolicyLevel.shadow : .decide).rawValue)
      members["canary"] = trial.share.map { .number($0) }
      return members
    }
    guard let source = settings.mergePolicy else { return trial.map(JSONValue.object) }
    var members = try document(of: source, settings.policyVersions?.inUse)
    members["level"] = .string((settings.policyLevel ?? .decide).rawValue)
    members["trial"] = trial.map(JSONValue.object)
    return .object(members)
  }

  private func document(
    of source: PolicySource, _ version: PolicyVersionID?
  ) throws -> [String: JSONValue] {
    let policy = try graph.compile(source)
    var members: [String: JSONValue] = [
      "name": .string(policy.name), "file": .string(source.name), "text": .string(source.text),
      "on": .array(policy.triggers.map(\.rawValue).sorted().map(JSONValue.string)),
      "unproven": .bool(policy.answersUnproven),
    ]
    members["version"] = version?.number.map { .integer(Int64($0)) }
    members.put("digest", version?.digest)
    return members
  }
}

extension PolicyVersion {
  fileprivate func adminJSON(withText: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "version": .integer(Int64(number)), "digest": .string(id.digest),
      "file": .string(source.name), "at": .string(at.text), "actor": .string(actor),
      "event": .string(event), "level": .string(use.level.rawValue),
    ]
    members.put("reason", reason)
    members.put("text", withText ? source.text : nil)
    members["canary"] = use.share.map { .number($0) }
    members["goesBackTo"] = goesBackTo.map { .integer(Int64($0)) }
    if let evidence {
      members["examplesPassed"] = .integer(Int64(evidence.examplesPassed))
      members["examplesFailed"] = .integer(Int64(evidence.examplesFailed))
      members["coverage"] = evidence.coverage.map { .number($0) }
    }
    return .object(members)
  }
}
