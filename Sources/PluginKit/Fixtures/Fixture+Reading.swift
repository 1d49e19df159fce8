public import AuthCore
import Foundation
public import LuaPlugins

extension Fixture {
  /// Reads a fixture's text; throws `invalid-argument` naming the scenario, the field and the most similar name.
  public init(text: String, name: String) throws(AuthError) {
    // Foundation accepts some malformed texts, such as a list with a comma at its end.
    let place = JSONPlace(ofMistakeIn: text)
    guard place == nil, let json = try? JSONValue(text: text) else {
      let position = place.map { ":\($0.line):\($0.column)" } ?? ""
      throw AuthError(
        .invalidArgument, "\(name)\(position): it is no JSON from here on.", field: "fixture",
        remedy: "Look for a comma or a quote too many or too few.")
    }
    let reader = FixtureReader(name, "", json)
    try reader.expectNames(["now", "settings", "scenarios"])
    self.name = name
    now = try reader.time("now") ?? Self.usualTime
    settings = try reader.members("settings")
    scenarios = try reader.list("scenarios").enumerated().map { index, json throws(AuthError) in
      let title = json["name"]?.stringValue ?? "scenario \(index + 1)"
      return try Scenario(FixtureReader(name, title, json), title)
    }
    let names = scenarios.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw reader.mistake("name", "two scenarios are called \"\(twice)\"")
    }
  }

  /// Reads the fixture beside a plug-in file or in its bundle; throws `invalid-argument` if there is none.
  public init(of source: PluginSource) throws(AuthError) {
    guard source.path != nil else {
      throw AuthError(
        .invalidArgument, "\(source.name) is in no file, so there is no fixture beside it.",
        field: "fixture", remedy: "Write the plug-in into a file.")
    }
    let name = source.fixtureName
    guard let data = source.fixtureData else {
      let place = source.isBundled ? "in the bundle" : "beside \(source.name)"
      throw AuthError(
        .invalidArgument, "There is no fixture \(name) \(place).", field: "fixture",
        remedy: source.isBundled
          ? "Ask the author to pack one."
          : "Record one with authgraph plugin record \(source.name), or write it by hand.")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw AuthError(
        .invalidArgument, "The fixture \(name) is not UTF-8 text.", field: "fixture",
        remedy: "Save the file as UTF-8.")
    }
    try self.init(text: String(text.trimmingPrefix("\u{FEFF}")), name: name)
  }
}

extension Fixture.Scenario {
  fileprivate init(_ reader: FixtureReader, _ title: String) throws(AuthError) {
    try reader.expectNames([
      "name", "source", "settings", "credential", "idToken", "payload", "hmac", "signed",
      "exchanges", "expect",
    ])
    name = title
    source = try reader.optional("source").map(Fixture.Source.init)
    settings = try reader.members("settings")
    let fields = try reader.required("credential").texts()
    guard let builder = fields["builder"] else {
      throw reader.mistake("credential.builder", "the credential names no builder")
    }
    self.builder = builder
    credential = fields.filter { $0.key != "builder" }
    idToken = try reader.optional("idToken")?.all()
    seals = try Seals(reader)
    exchanges = try reader.list("exchanges").enumerated().map { index, json throws(AuthError) in
      try Fixture.Exchange(reader.inner("exchanges[\(index + 1)]", json))
    }
    expectation = try Fixture.Expectation(reader.required("expect"))
  }
}

extension Fixture.Exchange {
  fileprivate init(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["request", "response"])
    request = try Fixture.Request(reader.required("request"))
    response = try Fixture.Response(reader.required("response"))
  }
}

extension Fixture.Request {
  fileprivate init(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["method", "url", "query", "headers", "form", "json"])
    guard let url = try reader.text("url"), URLText.host(of: url) != nil else {
      throw reader.mistake("url", "the request has no absolute url")
    }
    let methods = ["GET", "POST", "DELETE"]
    method = try reader.text("method")?.uppercased() ?? "GET"
    guard methods.contains(method) else {
      throw reader.mistake("method", "there is no method \"\(method)\"", among: methods, method)
    }
    self.url = String(url.prefix { $0 != "?" })
    query = (URLText.query(of: url) ?? [:])
      .merging(try reader.optional("query")?.texts() ?? [:]) { _, own in own }
    let headers = try reader.optional("headers")?.texts() ?? [:]
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    form = try reader.optional("form")?.texts() ?? [:]
    json = try reader.members("json")
  }
}

extension Fixture.Response {
  fileprivate init(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["status", "headers", "json", "text", "base64"])
    if let status = reader.json["status"] {
      guard case .integer(let number) = status, (100..<600).contains(number) else {
        throw reader.mistake("status", "the status is no number from 100 to 599")
      }
      self.status = Int(number)
    }
    let headers = try reader.optional("headers")?.texts() ?? [:]
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    switch (reader.json["json"], try reader.text("text"), try reader.text("base64")) {
    case (let json?, nil, nil): body = .json(json)
    case (nil, let text?, nil): body = .text(text)
    case (nil, nil, let base64?): body = .base64(base64)
    case (nil, nil, nil): body = .none
    default: throw reader.mistake("json", "an answer is one of json, text and base64")
    }
  }
}

extension Fixture.Expectation {
  private static let identityFields = [
    "subject", "formerSubjects", "issuer", "email", "emailVerified", "displayName", "photoURL",
    "screenName",
    "phoneNumber",
  ]

  fileprivate init(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["identity", "error"])
    switch (try reader.optional("identity"), try reader.optional("error")) {
    case (let identity?, nil):
      try identity.expectNames(Self.identityFields)
      guard try identity.text("subject") != nil else {
        throw identity.mistake("subject", "the expected subject is missing")
      }
      self = .identity(try identity.all())
    case (nil, let error?):
      try error.expectNames(["code", "step", "field"])
      guard let code = try error.text("code") else {
        throw error.mistake("code", "the expected error's code is missing")
      }
      self = .error(code: code, step: try error.text("step"), field: try error.text("field"))
    default: throw reader.mistake("", "expect has either an identity or an error")
    }
  }
}
