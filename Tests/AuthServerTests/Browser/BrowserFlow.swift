import AuthCore
import FakeVendors
import Foundation
import Testing

@testable import IdentityToolkitService

/// A browser that keeps the cookies of one site.
final class Browser {
  private(set) var cookies: [String: String] = [:]
  /// Further header fields of its requests.
  var headers: [String: String] = [:]
  private let home: Federation

  init(_ home: Federation) { self.home = home }

  /// Opens the page on which a sign-in begins.
  func begin(
    _ provider: ProviderID, _ further: [String: String] = [:]
  ) async throws -> Reply {
    var query = [
      "apiKey": "key", "providerId": provider.rawValue, "redirectUrl": "https://app.example/done",
    ]
    query.merge(further) { $1 }
    let text = URLText.form(query.map { (name: $0.key, value: $0.value) })
    return try await get("/__/auth/handler?\(text)")
  }

  /// Signs a person in at the vendor, and returns with its answer.
  func comeBack(
    from begun: Reply, _ provider: ProviderID, as person: FakePerson, consenting: Bool = true,
    _ change: (inout [String: String]) -> Void = { _ in }
  ) async throws -> Reply {
    let answer = try await home.vendor(provider).authorize(
      try #require(begun.headers["location"]), as: person, consenting: consenting)
    var parameters = answer.parameters
    change(&parameters)
    return try await bring(parameters, posted: answer.mode == .formPost)
  }

  /// Passes an answer to the handler.
  func bring(_ parameters: [String: String], posted: Bool = false) async throws -> Reply {
    let answer = URLText.form(
      parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    guard posted else { return try await get("/__/auth/handler?\(answer)") }
    var headers = fields
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return keep(
      try await home.server.send(
        "POST", "/__/auth/handler", Array(answer.utf8), headers: headers))
  }

  private func get(_ path: String) async throws -> Reply {
    keep(try await home.server.call("GET", path, nil, headers: fields))
  }

  private var fields: [String: String] {
    var fields = headers
    if !cookies.isEmpty {
      fields["Cookie"] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
    return fields
  }

  private func keep(_ reply: Reply) -> Reply {
    if let pair = reply.headers["set-cookie"]?.split(separator: ";").first {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { cookies[String(parts[0])] = String(parts[1]) }
    }
    return reply
  }
}

extension Reply {
  /// The fragment of the address that the browser is redirected to.
  var fragment: [String: String] {
    let location = headers["location"] ?? ""
    guard let mark = location.firstIndex(of: "#") else { return [:] }
    return (try? FormText.parse(String(location[location.index(after: mark)...]), of: "")) ?? [:]
  }
}
