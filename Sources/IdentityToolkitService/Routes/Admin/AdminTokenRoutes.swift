import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/adminTokens"

  static let adminTokens: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listAdminTokens",
      summary:
        "The admin tokens and service accounts, without texts and private keys, which are not stored.",
      needs: .all,
      answer: Schema.object(["adminTokens": Schema.list(OpenAPI.reference("AdminToken"))])
    ) { handler in
      let tokens = try await handler.adminTokens.list(project: handler.project)
      return .json(["adminTokens": .array(tokens.map(\.adminJSON))])
    },
    AdminOperation(
      method: .post, path: collection, id: "createAdminToken",
      summary: "Makes a token of the project, whose text is shown only once, or a service account.",
      needs: .all,
      body: [
        Schema.Member(
          "name", Schema.text, "The holder of the token, for the audit.", required: true),
        Schema.Member(
          "scopes",
          Schema.list(Schema.choice(AdminScope.allCases.map(\.rawValue)), most: 20),
          "The rights of the token: in its project, or in every project with the scope server, which "
            + "only a token with that scope can grant.", required: true),
        Schema.Member("expiresInSeconds", Schema.number, "The lifetime; unlimited by default."),
        Schema.Member(
          "serviceAccount", Schema.flag,
          "Makes a service account instead: the answer has its file with the private key, in the form of Google's."
        ),
        Schema.Member("reason", Schema.text, "The reason, for the audit."),
      ], answer: Schema.object(["name": Schema.text, "token?": Schema.text, "file?": Schema.map])
    ) { try await $0.createAdminToken() },
    AdminOperation(
      method: .post, path: "\(collection)/{name}:rotateKey", id: "rotateServiceAccountKey",
      summary:
        "Makes another key of a service account; only a token with the scope server rotates one with it.",
      needs: .all,
      body: [
        Schema.Member(
          "keepSeconds", Schema.number, "How long the earlier keys stay valid; a day by default."),
        Schema.Member("reason", Schema.text, "The reason, for the audit."),
      ], answer: Schema.object(["name": Schema.text, "file": Schema.map])
    ) { try await $0.rotateServiceAccountKey() },
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
  fileprivate var adminTokens: AdminTokens { services.adminTokens }

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
    let end = seconds.map { services.clock().adding(seconds: $0) }
    if try body.bool("serviceAccount") ?? false {
      let file = try await adminTokens.newServiceAccount(
        name: name, scopes: Set(scopes), expiresAt: end, server: services.settings.publicURL,
        by: try administrator())
      return .json(["name": .string(name), "file": file.content.reveal()])
    }
    let token = try await adminTokens.new(
      name: name, scopes: Set(scopes), expiresAt: end, by: try administrator())
    return .json(["name": .string(name), "token": .string(token.reveal())])
  }

  fileprivate func rotateServiceAccountKey() async throws -> Answer {
    let name = call.path["name"] ?? ""
    do {
      let file = try await adminTokens.rotate(
        name: name, keepingFor: try body.integer("keepSeconds") ?? 86_400,
        server: services.settings.publicURL, sparingServer: call.right?.isOfServer != true,
        by: try administrator())
      return .json(["name": .string(name), "file": file.content.reveal()])
    } catch var error as AuthError where error.field == "keep" {
      error.field = "keepSeconds"
      throw error
    }
  }
}

extension AdminToken {
  fileprivate var adminJSON: JSONValue {
    var token: [String: JSONValue] = [
      "name": .string(name), "createdAt": .string(createdAt.text), "createdBy": .string(createdBy),
      "scopes": .array(scopes.map(\.rawValue).sorted().map(JSONValue.string)),
    ]
    token.put("expiresAt", expiresAt?.text)
    token["serviceAccount"] = serviceAccount?.adminJSON
    return .object(token)
  }
}

extension ServiceAccount {
  fileprivate var adminJSON: JSONValue {
    let keys = keys.map { key in
      var members: [String: JSONValue] = [
        "id": .string(key.id), "createdAt": .string(key.createdAt.text),
      ]
      members.put("expiresAt", key.expiresAt?.text)
      return JSONValue.object(members)
    }
    return ["email": .string(email), "keys": .array(keys)]
  }
}
