import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/keys"

  static let keys: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listKeys",
      summary: "The keys that sign the project's tokens, in the order in which they sign.",
      needs: .keys, answer: Schema.object(["keys": Schema.list(OpenAPI.reference("Key"))])
    ) { handler in
      let keys = try await handler.services.tokens.keys.list(project: handler.project)
      return .json(["keys": .array(keys.map(\.adminJSON))])
    },
    AdminOperation(
      method: .post, path: "\(collection):rotate", id: "rotateKeys",
      summary: "Publishes the next key. It signs as soon as every cached key set has expired.",
      needs: .keys,
      body: [
        Schema.Member(
          "use", Schema.choice(KeyUse.allCases.map(\.rawValue)),
          "The use of the key; id-token if not given."),
        Schema.Member(
          "algorithm", Schema.choice(TokenService.algorithms.map(\.rawValue)),
          "RS256 if not given."),
      ] + writing, answer: OpenAPI.reference("Key")
    ) { try await $0.rotateKeys() },
  ]
}

extension AdminHandler {
  fileprivate func rotateKeys() async throws -> Answer {
    let use = try choice("use", among: KeyUse.allCases) ?? .idToken
    let algorithm = try choice("algorithm", among: TokenService.algorithms) ?? .rs256
    let key = try await services.tokens.keys.rotate(use, algorithm, by: try administrator())
    return .json(key.adminJSON)
  }

  private func choice<Value: RawRepresentable<String>>(
    _ name: String, among values: [Value]
  ) throws -> Value? {
    guard let text = try body.filled(name) else { return nil }
    guard let value = values.first(where: { $0.rawValue == text }) else {
      let names = values.map(\.rawValue).joined(separator: ", ")
      throw AuthError(
        .invalidArgument, "The field \(name) cannot be \"\(text)\".", field: name,
        remedy: "It is one of \(names).")
    }
    return value
  }
}

extension SigningKeys.Description {
  fileprivate var adminJSON: JSONValue {
    var key: [String: JSONValue] = [
      "id": .string(id), "use": .string(use.rawValue), "algorithm": .string(algorithm.rawValue),
      "state": .string(state.rawValue), "createdAt": .string(createdAt.text),
      "activeFrom": .string(activeFrom.text),
    ]
    key.put("retiredAt", retiredAt?.text)
    key.put("publishedUntil", publishedUntil?.text)
    return .object(key)
  }
}
