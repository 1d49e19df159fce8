import AuthCore
import SessionTokens
import Testing

@testable import IdentityToolkitService

@Suite struct `The description of the administration` {
  @Test(arguments: ServerHome.both)
  func `it has every route, and nothing else`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.call("GET", "/admin/v1/openapi.json")
      #expect(reply.status == 200)
      #expect(reply.json["openapi"] == "3.1.0")
      let paths = try #require(reply.json["paths"])
      var described = 0
      for route in Route.admin + Route.events where route.name != "admin.openapi" {
        let operation = paths[route.pattern]?[route.method.rawValue.lowercased()]
        #expect(operation != nil, "\(route.method.rawValue) \(route.pattern)")
        described += 1
      }
      #expect(described == paths.names.map { paths[$0]?.names.count ?? 0 }.reduce(0, +))
    }
  }

  @Test func `each reference leads to a shape, and each name in a path is a parameter`()
    async throws
  {
    try await withServer(.production) { home in
      let document = try await home.call("GET", "/admin/v1/openapi.json").json
      let shapes = document["components"]?["schemas"]?.names ?? []
      for reference in references(in: document) {
        #expect(shapes.contains(String(reference.dropFirst("#/components/schemas/".count))))
      }
      for operation in AdminOperation.all {
        let entry = document["paths"]?[AdminOperation.root + operation.path]?[
          operation.method.rawValue.lowercased()]
        let parameters = entry?["parameters"]?.items.filter { $0["in"] == "path" }
        #expect(
          parameters?.compactMap { $0["name"]?.stringValue } == OpenAPI.names(in: operation.path))
      }
    }
  }

  /// The validator is the one that other projects check their descriptions by.
  @Test(.timeLimit(.minutes(5)))
  func `a validator of OpenAPI 3.1 takes it, and the emulator's`() async throws {
    try await withServer(.emulator) { home in
      for path in ["/admin/v1/openapi.json", "/emulator/openapi.json"] {
        let visit = try await PythonProgram.run(
          "validate_description.py", [home.address + path], [:])
        #expect(visit.status == 0, "\(visit.output)")
      }
    }
  }

  private func references(in value: JSONValue) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { name, value in
        name == "$ref" ? [value.stringValue ?? ""] : references(in: value)
      }
    case .array(let items): items.flatMap(references)
    default: []
    }
  }
}

@Suite struct `The scopes of admins` {
  /// Allowed operations follow the scope that each operation of the admin API names.
  @Test func `a token without an operation's scope is refused, for every operation`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.admins = { token, _ in
          AdminRight(name: token, scopes: [token, "server"], project: ServerHome.project)
        }
      }
    ) { home in
      for operation in AdminOperation.all {
        let path = (AdminOperation.root + operation.path)
          .replacing("{project}", with: ServerHome.project).replacing("{id}", with: "none")
          .replacing("{uid}", with: "none").replacing("{name}", with: "none")
        for scope in ["accounts:read", "config", "merge", "audit", "plugins", "keys"] {
          let reply = try await home.call(
            operation.method.rawValue, path, operation.method == .get ? nil : [:],
            headers: ["Authorization": "Bearer \(scope)"])
          let isMissing = reply.message?.hasPrefix("The admin token lacks the scope") == true
          #expect(isMissing == (scope != operation.needs.rawValue), "\(operation.id) \(scope)")
          if isMissing { #expect(reply.status == 403) }
        }
      }
    }
  }
}
