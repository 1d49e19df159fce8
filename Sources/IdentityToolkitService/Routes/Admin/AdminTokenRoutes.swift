import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/adminTokens"

  static let adminTokens: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listAdminTokens",
      summary: "The admin tokens, without their texts, which are not stored.", needs: .all,
      answer: Schema.object(["adminTokens": Schema.list(OpenAPI.reference("AdminToken"))])
    ) { handler in
      let tokens = try await handler.adminTokens.list(project: handler.project)
      return .json(["adminTokens": .array(tokens.map(\.adminJSON))])
    },
    AdminOperation(
      method: .post, path: collection, id: "createAdminToken",
      summary: "Makes a token of the project, whose text is shown only once.", needs: .all,
      body: [
        Schema.Member(
          "name", Schema.text, "The holder of the token, for the audit.", required: true),
        Schema.Member(
          "scopes",
          Schema.list(Schema.choice(AdminScope.allCases.map(\.rawValue)), most: 20),
          "The rights of the token: in its project, or in every project with the scope server, which "
            + "only a token with that scope can grant.", required: true),
        Schema.Member("expiresInSeconds", Schema.number, "The lifetime; unlimited by default."),
        Schema.Member("reason", Schema.text, "The reason, for the audit."),
      ], answer: Schema.object(["name": Schema.text, "token": Schema.text])
    ) { try await $0.createAdminToken() },
    AdminOperation(
      method: .delete, path: "\(collection)/{name}", id: "revokeAdminToken",
      summary: "Revokes a token; only a token with the scope server revokes another one with it.",
      needs: .all, answer: Schema.object([Schema.Member]())
    ) { handler in
      try await handler.adminTokens.revoke(
        name: handler.path["name"] ?? "", sparingServer: handler.call.right?.isOfServer != true,
        by: handler.caller)
      return .json([:])
    },
  ]
}

extension AdminHandler {
  /// The instance that requests are checked with, so that a revoked token is refused at once.
  fileprivate var adminTokens: AdminTokens {
    services.administration.tokens ?? AdminTokens(store: graph.store, clock: services.clock)
  }

  fileprivate func createAdminToken() async throws -> Answer {
    let name = try required("name")
    let scopes = try (body.texts("scopes") ?? []).map { text in
      guard let scope = AdminScope(rawValue: text) else {
        throw AuthError(
          .invalidArgument, "There is no scope \"\(text)\".", field: "scopes",
          remedy: suggestion(for: text, among: AdminScope.allCases.map(\.rawValue)))
      }
      return scope
    }
    guard call.right?.isOfServer == true || !scopes.contains(.server) else {
      throw AuthError(
        .operationNotAllowed, "A token without the scope server cannot grant that scope.",
        field: "scopes",
        remedy: "Use a token that has it, or make one with: authgraph admin-token new")
    }
    let seconds = try body.integer("expiresInSeconds")
    let token = try await adminTokens.new(
      name: name, scopes: Set(scopes),
      expiresAt: seconds.map { services.clock().adding(seconds: $0) }, by: try administrator())
    return .json(["name": .string(name), "token": .string(token.reveal())])
  }
}

extension AdminToken {
  fileprivate var adminJSON: JSONValue {
    var token: [String: JSONValue] = [
      "name": .string(name), "createdAt": .string(createdAt.text), "createdBy": .string(createdBy),
      "scopes": .array(scopes.map(\.rawValue).sorted().map(JSONValue.string)),
    ]
    token.put("expiresAt", expiresAt?.text)
    return .object(token)
  }
}
