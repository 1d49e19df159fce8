import AuthCore
import Crypto

/// Finds out how a vendor signed a credential, by trying the usual ways with the secrets of the settings.
///
/// The ways are: sorted lines of the credential's other fields or of a form (Telegram's widget and its apps), another
/// field (DiscourseConnect), and a signature before its content (Facebook's signed request).
struct SealSearch {
  let credential: [String: String]
  /// Secrets by the name of their setting.
  let secrets: [String: String]
  let now: Timestamp

  /// The fields with placeholders, and the parts that they stand for.
  struct Finding {
    var credential: [String: String] = [:]
    var seals = Seals()
  }

  /// The first way that gives the same signature; nil if there is none.
  func finding() -> Finding? {
    for (field, text) in credential.sorted(by: { $0.key < $1.key }) {
      if let finding = fields(field, text) ?? pair(field, text) ?? form(field, text)
        ?? prefixed(field, text)
      {
        return finding
      }
    }
    return nil
  }

  private func fields(_ field: String, _ signature: String) -> Finding? {
    let others = credential.filter { $0.key != field && !$0.value.isEmpty }
    guard !others.isEmpty, let recipe = recipe(of: signature, over: Self.lines(others)) else {
      return nil
    }
    var finding = Finding(credential: others.mapValues(timeless))
    finding.credential[field] = "{hmac \(field)}"
    finding.seals.hmacs[field] = .object(recipe.merging(["lines": "credential"]) { own, _ in own })
    return finding
  }

  private func pair(_ field: String, _ signature: String) -> Finding? {
    for (other, text) in credential.sorted(by: { $0.key < $1.key }) where other != field {
      guard let recipe = recipe(of: signature, over: text) else { continue }
      var finding = Finding(credential: [field: "{hmac \(field)}", other: "{payload \(other)}"])
      finding.seals.payloads[other] = payload(text)
      finding.seals.hmacs[field] = .object(
        recipe.merging(["over": .string("{payload \(other)}")]) { own, _ in own })
      return finding
    }
    return nil
  }

  private func form(_ field: String, _ text: String) -> Finding? {
    guard text.contains("="), let members = URLText.uniqueFields(of: text) else { return nil }
    for (name, signature) in members.sorted(by: { $0.key < $1.key }) {
      let others = members.filter { $0.key != name }
      guard !others.isEmpty, let recipe = recipe(of: signature, over: Self.lines(others)) else {
        continue
      }
      var form = others.mapValues { JSONValue.string(timeless($0)) }
      form[name] = .string("{hmac \(name)}")
      var finding = Finding(credential: [field: "{payload \(field)}"])
      finding.seals.payloads[field] = ["form": .object(form)]
      finding.seals.hmacs[name] = .object(
        recipe.merging(["lines": .string(field)]) { own, _ in own })
      return finding
    }
    return nil
  }

  private func prefixed(_ field: String, _ text: String) -> Finding? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let recipe = recipe(of: parts[0], over: parts[1]) else { return nil }
    var finding = Finding(credential: [field: "{hmac \(field)}.{payload \(field)}"])
    finding.seals.payloads[field] = payload(parts[1])
    finding.seals.hmacs[field] = .object(
      recipe.merging(["over": .string("{payload \(field)}")]) { own, _ in own })
    return finding
  }
}

extension SealSearch {
  private static func lines(_ fields: [String: String]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
  }

  /// The key, hash and encoding that give a signature; nil if no usual ones do.
  private func recipe(of signature: String, over text: String) -> [String: JSONValue]? {
    // The shortest digest, MD5 in base64url, has 22 characters.
    guard (22...128).contains(signature.utf8.count) else { return nil }
    for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) where !secret.isEmpty {
      let bytes = Array(secret.utf8)
      let setting = JSONValue.string("{\(name)}")
      let keys: [(JSONValue, [UInt8])] = [
        (setting, bytes), (["sha256": setting], Array(SHA256.hash(data: bytes))),
        (
          ["hmac": setting, "key": "WebAppData"],
          SealHash.sha256.hmac(bytes, key: Array("WebAppData".utf8))
        ),
      ]
      for (key, keyBytes) in keys {
        for hash in SealHash.allCases {
          let digest = hash.hmac(Array(text.utf8), key: keyBytes)
          for form in SealedText.allCases.dropFirst() where form.written(digest) == signature {
            return [
              "key": key, "algorithm": .string(hash.rawValue), "as": .string(form.rawValue),
            ]
          }
        }
      }
    }
    return nil
  }

  /// A content that was signed as one text, readable if it is a form or an object in base64.
  private func payload(_ text: String) -> JSONValue {
    let encodings: [(Base64, JSONValue)] = [(.standard, "base64"), (.url, "base64url")]
    for (alphabet, name) in encodings {
      guard let bytes = alphabet.bytes(of: text.utf8, padding: .optional) else { continue }
      let content = String(decoding: bytes, as: UTF8.self)
      if case .object(let members)? = try? JSONValue(text: content) {
        return ["json": .object(members.mapValues(timeless)), "as": name]
      }
      if content.contains("="), let form = URLText.uniqueFields(of: content) {
        return ["form": .object(form.mapValues { .string(timeless($0)) }), "as": name]
      }
    }
    return ["text": .string(text)]
  }

  /// A time of the last or the next day relative to the time of the replay.
  private func timeless(_ text: String) -> String {
    guard text.utf8.count == 10, let second = Int64(text) else { return text }
    let distance = second - now.milliseconds / 1000
    guard abs(distance) <= 86_400 else { return text }
    return distance == 0 ? "{now}" : distance > 0 ? "{now+\(distance)}" : "{now\(distance)}"
  }

  private func timeless(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let number):
      let text = String(number)
      let moved = timeless(text)
      return moved == text ? value : .string(moved)
    default: return value
    }
  }
}
