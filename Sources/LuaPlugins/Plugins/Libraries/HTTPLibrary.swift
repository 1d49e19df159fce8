import AuthCore
import BuiltInProviders
import Foundation
import LuaRuntime

/// The library `http`, with which functions of a plug-in send requests; waiting holds no thread.
struct HTTPLibrary {
  let box: SessionBox

  func make(in state: LuaState) -> LuaValue {
    defineResponse(in: state)
    var http = LuaLibrary(name: "http")
    let box = box
    for (name, method) in [("get", HTTPRequest.Method.get), ("post", .post)] {
      http.asyncFunction(name) { arguments in
        let session = try box.required("http.\(name)")
        try session.failing { try session.transport.allowance.attempt() }
        let draft = try RequestDraft(method, arguments, "http.\(name)")
        let response = try await session.failing { try await Self.send(draft, session) }
        return [.object(LuaObject(type: "response", value: response))]
      }
    }
    return state.library(http)
  }

  private static func send(
    _ draft: RequestDraft, _ session: PluginSession
  ) async throws -> PluginResponse {
    let exchange = VendorExchange(transport: session.transport, step: .profile)
    let response = try await exchange.send(draft.request)
    let isGood = (200..<300).contains(response.status) || draft.statuses.contains(response.status)
    guard isGood else {
      let host = URLText.host(of: draft.request.url) ?? "The server"
      throw AuthError(
        .invalidCredential, "\(host) refuses the credential (HTTP \(response.status)).",
        remedy: "Sign in with the provider again.", step: .profile)
    }
    return PluginResponse(request: draft.request, response: response, exchange: exchange)
  }

  private func defineResponse(in state: LuaState) {
    var type = LuaObjectType(name: "response", fields: ["status", "headers", "ok"])
    type.get = { _, object, field in
      guard let answer = (object.value as? PluginResponse)?.response else { return nil }
      switch field {
      case "status": return .values([.integer(Int64(answer.status))])
      case "ok": return .values([.bool((200..<300).contains(answer.status))])
      case "headers":
        return .values([.table(LuaTable(fields: answer.headers.mapValues { .string($0) }))])
      default: return nil
      }
    }
    type.method("json") { call in
      let answer = try call.object(1, as: PluginResponse.self, type: "response")
      try call.charge(answer.response.body.count / 8)
      let session = try box.required("response:json")
      return [try session.failing { try answer.json().luaWithoutNulls }]
    }
    type.method("text") { call in
      let answer = try call.object(1, as: PluginResponse.self, type: "response")
      try call.charge(answer.response.body.count / 16)
      return [.string(String(decoding: answer.response.body, as: UTF8.self))]
    }
    type.describe = { ($0.value as? PluginResponse)?.response.description ?? "response" }
    state.define(type)
  }
}

/// An answer for a script.
struct PluginResponse: Sendable {
  let request: HTTPRequest
  let response: HTTPResponse
  let exchange: VendorExchange

  /// The body as an object or a list; throws `network-request-failed`.
  func json() throws(AuthError) -> JSONValue {
    let wrong = exchange.failure(
      "gave an answer that is neither a JSON object nor a list (HTTP \(response.status))",
      request, remedy: "Check the URL that the plug-in requests.")
    let json = try exchange.json(response, to: request, otherwise: wrong)
    guard json.isStructured else { throw wrong }
    return json
  }
}

extension JSONValue {
  fileprivate var isStructured: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}

/// A request of a script.
struct RequestDraft {
  var request: HTTPRequest
  var statuses: Set<Int> = []

  private static let names = [
    "bearer", "scheme", "basic", "headers", "query", "form", "json", "statuses",
  ]
  /// Headers that the transport sets itself.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "proxy-authorization",
  ]

  /// Reads `(url, options)`; any value may be a secret.
  init(_ method: HTTPRequest.Method, _ arguments: [LuaValue], _ function: String) throws {
    guard let url = arguments.first?.stringValue else {
      throw LuaArgumentError("\(function) takes an address and a table of options")
    }
    let options = arguments.dropFirst().first?.tableValue ?? LuaTable()
    if let unknown = options.fields.keys.sorted().first(where: { !Self.names.contains($0) }) {
      throw LuaArgumentError(
        "\(function) has no option \"\(unknown)\"; \(hint(for: unknown, among: Self.names))")
    }
    request = HTTPRequest(method, URLText.adding(try Self.pairs(options, "query"), to: url))
    try setBody(options)
    try setHeaders(options)
    for status in try Self.table(options, "statuses")?.array ?? [] {
      guard let number = status.integerValue, (400..<500).contains(number) else {
        throw LuaArgumentError("statuses must be numbers from 400 to 499")
      }
      statuses.insert(Int(number))
    }
  }

  private mutating func setBody(_ options: LuaTable) throws {
    if !options["form"].isNil {
      let form = HTTPRequest.form(request.url, try Self.pairs(options, "form"))
      request.body = form.body
      request.headers = form.headers
    } else if let json = try Self.table(options, "json") {
      let plain = try Self.revealed(.table(json))
      guard let value = JSONValue(plain) else {
        throw LuaArgumentError("json holds a value that JSON cannot express")
      }
      request.body = Array(value.text.utf8)
      request.headers = [("Content-Type", "application/json")]
    }
    guard request.method == .post || request.body.isEmpty else {
      throw LuaArgumentError("http.get sends no body; use http.post")
    }
  }

  private mutating func setHeaders(_ options: LuaTable) throws {
    for value in options["headers"].tableValue?.fields.values.map(\.self) ?? [] {
      try Self.requireOneLine(value)
    }
    var headers = try Self.pairs(options, "headers")
    if !options["bearer"].isNil {
      try Self.requireOneLine(options["bearer"])
      let token = try RequestText.sent(options["bearer"], of: "bearer")
      let scheme = options["scheme"].isNil ? "Bearer" : options["scheme"].stringValue ?? ""
      guard !scheme.isEmpty else { throw LuaArgumentError("scheme must be a text") }
      headers.append(("Authorization", "\(scheme) \(token)"))
    } else if let pair = try Self.table(options, "basic") {
      guard pair.array.count == 2, pair.fields.isEmpty else {
        throw LuaArgumentError("basic must be { name, password }")
      }
      let texts = try pair.array.map { try RequestText.sent($0, of: "basic") }
      let encoded = Data(texts.joined(separator: ":").utf8).base64EncodedString()
      headers.append(("Authorization", "Basic \(encoded)"))
    }
    if !headers.contains(where: { $0.name.lowercased() == "accept" }) {
      headers.append(("Accept", "application/json"))
    }
    for header in headers {
      guard Self.isHeaderName(header.name), !Self.reserved.contains(header.name.lowercased()),
        Self.isOneLine(header.value)
      else { throw LuaArgumentError("the header \"\(header.name)\" cannot be sent") }
    }
    request.headers += headers
  }

  /// Tells whether a name is a token (RFC 9110, 5.6.2).
  private static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+.^_`|~-".utf8.contains(byte)
        }
      }
  }

  private static func isOneLine(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// Checks a secret: one that cannot be sent is the client's fault, not the plug-in's.
  private static func requireOneLine(_ value: LuaValue) throws(AuthError) {
    guard let text = value.secretValue?.text, !isOneLine(text) else { return }
    throw AuthError(
      .invalidCredential, "The credential contains control characters.",
      remedy: "Pass it on as the provider gave it.", step: .credential)
  }

  /// An optional table.
  private static func table(_ options: LuaTable, _ name: String) throws -> LuaTable? {
    guard !options[name].isNil else { return nil }
    guard let table = options[name].tableValue else {
      throw LuaArgumentError("\(name) must be a table, not a \(options[name].typeName)")
    }
    return table
  }

  private static func pairs(
    _ options: LuaTable, _ name: String
  ) throws -> [(name: String, value: String)] {
    guard !options[name].isNil else { return [] }
    guard let table = options[name].tableValue, table.array.isEmpty else {
      throw LuaArgumentError("\(name) must be a table of names and texts")
    }
    return try table.fields.sorted { $0.key < $1.key }
      .map { ($0.key, try RequestText.sent($0.value, of: "\(name).\($0.key)")) }
  }

  private static func revealed(_ value: LuaValue) throws -> LuaValue {
    if value.secretValue != nil { return .string(try RequestText.sent(value, of: "json")) }
    guard let table = value.tableValue else { return value }
    return .table(
      LuaTable(array: try table.array.map(revealed), fields: try table.fields.mapValues(revealed)))
  }
}
