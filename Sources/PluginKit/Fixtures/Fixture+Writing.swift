public import AuthCore
import Foundation

extension Fixture {
  /// Makes an empty fixture.
  public init(name: String, now: Timestamp = usualTime, settings: [String: JSONValue] = [:]) {
    self.name = name
    self.now = now
    self.settings = settings
    scenarios = []
  }

  /// The fixture as JSON for a file: indented, names in alphabetical order.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(written) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private var written: JSONValue {
    [
      "now": .string(now.text), "settings": .object(settings),
      "scenarios": .array(scenarios.map(\.written)),
    ]
  }
}

extension Fixture.Scenario {
  fileprivate var written: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name),
      "credential": .object(
        credential.merging(["builder": builder]) { $1 }.mapValues(JSONValue.string)),
      "exchanges": .array(exchanges.map(\.written)), "expect": expectation.written,
    ]
    if !settings.isEmpty { members["settings"] = .object(settings) }
    if let source { members["source"] = source.written }
    if let idToken { members["idToken"] = .object(idToken) }
    members.merge(seals.written) { own, _ in own }
    return .object(members)
  }
}

extension Fixture.Exchange {
  fileprivate var written: JSONValue { ["request": request.written, "response": response.written] }
}

extension Fixture.Request {
  fileprivate var written: JSONValue {
    var members: [String: JSONValue] = ["url": .string(url)]
    if method != "GET" { members["method"] = .string(method) }
    for (name, texts) in [("query", query), ("headers", headers), ("form", form)]
    where !texts.isEmpty { members[name] = .object(texts.mapValues(JSONValue.string)) }
    if !json.isEmpty { members["json"] = .object(json) }
    return .object(members)
  }
}

extension Fixture.Response {
  fileprivate var written: JSONValue {
    var members: [String: JSONValue] = ["status": .integer(Int64(status))]
    if !headers.isEmpty { members["headers"] = .object(headers.mapValues(JSONValue.string)) }
    switch body {
    case .none: break
    case .json(let json): members["json"] = json
    case .text(let text): members["text"] = .string(text)
    case .base64(let text): members["base64"] = .string(text)
    }
    return .object(members)
  }
}

extension Fixture.Expectation {
  fileprivate var written: JSONValue {
    switch self {
    case .identity(let fields): return ["identity": .object(fields)]
    case .error(let code, let step, let field):
      let members: [String: JSONValue] = [
        "code": .string(code), "step": .optional(step), "field": .optional(field),
      ]
      return ["error": .object(members.filter { $0.value != .null })]
    }
  }
}
