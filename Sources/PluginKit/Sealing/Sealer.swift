import AuthCore
import FakeVendors
import Foundation

/// Makes the signed parts of one scenario.
struct Sealer {
  let seals: Seals
  /// The credential's fields, with the placeholders in place.
  let credential: [String: String]
  /// The provider's settings, including secrets.
  let settings: [String: JSONValue]
  let now: Timestamp
  /// The names of the file and the scenario, for errors.
  let file: String
  let scenario: String

  /// Fills the placeholders of a text of the scenario.
  func filled(_ text: String) throws(AuthError) -> String { try filled(text, [], settings: [:]) }

  /// Fills the placeholders of a text that is signed, in which `{NAME}` is a setting as well.
  func recipe(_ text: String, _ open: [String]) throws(AuthError) -> String {
    try filled(text, open, settings: settings)
  }

  func filled(_ json: JSONValue, _ open: [String] = []) throws(AuthError) -> JSONValue {
    switch json {
    case .string(let text):
      // A time inside of a signed object is a number.
      if !open.isEmpty, text.wholeMatch(of: /\{now(Milliseconds)?([+\-]\d{1,10})?\}/) != nil,
        let number = Int64(try recipe(text, open))
      {
        return .integer(number)
      }
      return .string(try filled(text, open, settings: open.isEmpty ? [:] : settings))
    case .array(let elements):
      var filled: [JSONValue] = []
      for element in elements { filled.append(try self.filled(element, open)) }
      return .array(filled)
    case .object(let members):
      var filled: [String: JSONValue] = [:]
      for (name, value) in members { filled[name] = try self.filled(value, open) }
      return .object(filled)
    default: return json
    }
  }

  func filled(_ texts: [String: String]) throws(AuthError) -> [String: String] {
    var filled: [String: String] = [:]
    for (name, text) in texts { filled[name] = try self.filled(text) }
    return filled
  }

  private func filled(
    _ text: String, _ open: [String], settings: [String: JSONValue]
  ) throws(AuthError) -> String {
    guard text.contains("{") else { return text }
    var result = ""
    var rest = text[...]
    let placeholder = /\{([A-Za-z]+)(?: ([A-Za-z0-9_.\-]+))?([+\-]\d{1,10})?\}/
    while let match = rest.firstMatch(of: placeholder) {
      result += rest[..<match.range.lowerBound]
      let word = String(match.output.1)
      let shift = match.output.3.flatMap { Int64($0.trimmingPrefix("+")) } ?? 0
      if let name = match.output.2.map(String.init) {
        result += try part(word, name, open) ?? String(match.output.0)
      } else {
        result += time(word, shift) ?? settings[word]?.stringValue ?? String(match.output.0)
      }
      rest = rest[match.range.upperBound...]
    }
    return result + rest
  }

  /// The time of the scenario, moved by seconds.
  private func time(_ word: String, _ shift: Int64) -> String? {
    let moved = now.milliseconds + shift * 1000
    return switch word {
    case "now": String(moved / 1000)
    case "nowMilliseconds": String(moved)
    default: nil
    }
  }

  /// A signed part; nil for a word that is no placeholder.
  private func part(
    _ word: String, _ name: String, _ open: [String]
  ) throws(AuthError) -> String? {
    let id = "\(word) \(name)"
    guard !open.contains(id) else {
      throw reader([:]).mistake(
        id.replacing(" ", with: "."), "{\(id)} is a part of itself")
    }
    let inside = open + [id]
    switch word {
    case "payload":
      let recipe = try self.recipe(name, in: seals.payloads, word)
      return try SealedText(recipe, usually: .text)
        .written(try PayloadRecipe.bytes(recipe, self, inside))
    case "hmac":
      let recipe = try self.recipe(name, in: seals.hmacs, word)
      let content = try HashRecipe.content(of: name, recipe, self, inside)
      let key = try SealKey.bytes(recipe.json["key"] ?? "", recipe, self)
      return try SealedText(recipe, usually: .hex)
        .written(try SealHash(recipe).hmac(Array(content.utf8), key: key))
    case "signed":
      let recipe = try self.recipe(name, in: seals.signatures, word)
      let content = try SignatureRecipe.content(recipe, self, inside)
      let signature = try Self.made { try SealingRSA.key().signature(of: content[...]) }
      return try SealedText(recipe, usually: .base64).written(Array(signature))
    case "publicKey":
      _ = try self.recipe(name, in: seals.signatures, word)
      return try Self.made { try SealingRSA.key().publicKeyPEM }
    case "certificate":
      _ = try self.recipe(name, in: seals.signatures, word)
      return Base64.standard.text(try Self.made { try SealingRSA.certificate(at: now) })
    default: return nil
    }
  }

  private static func made<Value>(_ make: () throws -> Value) throws(AuthError) -> Value {
    do {
      return try make()
    } catch {
      throw AuthError(
        .invalidArgument, "The test key cannot sign.", field: "signed",
        remedy: "Run the test again.", cause: error)
    }
  }

  /// The fields of a form or of the credential, without those that hold the hash itself.
  func members(
    of name: String, without hash: String, _ open: [String]
  ) throws(AuthError) -> [(name: String, value: String)] {
    let own = "{hmac \(hash)}"
    guard name != "credential" else {
      var members: [(name: String, value: String)] = []
      for (field, text) in credential.sorted(by: { $0.key < $1.key }) where !text.contains(own) {
        members.append((field, try recipe(text, open)))
      }
      return members
    }
    var json = try recipe(name, in: seals.payloads, "payload").json
    guard case .object(let form)? = json["form"] else {
      throw reader([:]).mistake(
        "hmac.\(hash).lines", "lines is \"credential\" or the name of a payload with a form")
    }
    json = ["form": .object(form.filter { $0.value.stringValue?.contains(own) != true })]
    return try PayloadRecipe.members(reader(json), self, open)
  }

  private func recipe(
    _ name: String, in recipes: [String: JSONValue], _ word: String
  ) throws(AuthError) -> FixtureReader {
    guard let json = recipes[name] else {
      throw reader([:]).mistake(
        "credential", "{\(word) \(name)} is not described", among: recipes.keys.sorted(), name)
    }
    return FixtureReader(file, scenario, json, place: "\(word).\(name).")
  }

  private func reader(_ json: JSONValue) -> FixtureReader { FixtureReader(file, scenario, json) }
}
