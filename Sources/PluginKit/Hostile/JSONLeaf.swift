import AuthCore

/// One value of a scene's data, and its place.
struct JSONLeaf: Hashable {
  enum Place: Hashable {
    case exchange(Int)
    case idToken
    case credential
    /// A part that the vendor signs; it is signed again after a change.
    case sealed(SealedPlace)
  }

  enum Step: Hashable {
    case name(String)
    case position(Int)
  }

  let place: Place
  let path: [Step]
  let value: JSONValue

  /// The path as a plug-in would write it.
  var pathText: String {
    path.reduce("") { text, step in
      switch step {
      case .name(let name):
        let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil
        return isPlain ? (text.isEmpty ? name : "\(text).\(name)") : "\(text)[\"\(name)\"]"
      case .position(let position): return "\(text)[\(position + 1)]"
      }
    }
  }

  /// Tells whether both are at the same place except for positions in lists.
  func isTwin(of other: JSONLeaf) -> Bool {
    place == other.place && path.count == other.path.count
      && zip(path, other.path).allSatisfy { step, twin in
        switch (step, twin) {
        case (.position, .position): true
        default: step == twin
        }
      }
  }

  /// The last name of the path.
  var name: String {
    for step in path.reversed() {
      if case .name(let name) = step { return name }
    }
    return ""
  }

  /// The value as text, if it is a text or a whole number.
  var text: String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }
}

extension JSONValue {
  /// Every value inside this one, with its path.
  func parts(_ path: [JSONLeaf.Step] = []) -> [(path: [JSONLeaf.Step], value: JSONValue)] {
    let members: [(JSONLeaf.Step, JSONValue)] =
      switch self {
      case .object(let members):
        members.sorted { $0.key < $1.key }.map { (.name($0.key), $0.value) }
      case .array(let elements): elements.enumerated().map { (.position($0.offset), $0.element) }
      default: []
      }
    return members.flatMap { step, value in
      [(path + [step], value)] + value.parts(path + [step])
    }
  }

  var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }

  /// Returns the value with another one at the end of a path; nil removes it.
  func replacing(_ path: some Collection<JSONLeaf.Step>, with value: JSONValue?) -> JSONValue {
    guard let step = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    switch (step, self) {
    case (.name(let name), .object(var members)):
      members[name] =
        rest.isEmpty ? value : members[name].map { $0.replacing(rest, with: value) }
      return .object(members)
    case (.position(let position), .array(var elements)) where elements.indices.contains(position):
      if rest.isEmpty, value == nil {
        elements.remove(at: position)
      } else {
        elements[position] = elements[position].replacing(rest, with: value)
      }
      return .array(elements)
    default: return self
    }
  }
}

extension Scene {
  /// Every value of the requested answers, of the ID token's claims and of the credential.
  var parts: [JSONLeaf] {
    var parts: [JSONLeaf] = []
    for index in askedExchanges {
      switch rehearsal.exchanges[index].response.body {
      case .none, .base64: break
      case .text(let text):
        parts.append(JSONLeaf(place: .exchange(index), path: [], value: .string(text)))
      case .json(let json):
        parts += json.parts().map {
          JSONLeaf(place: .exchange(index), path: $0.path, value: $0.value)
        }
      }
    }
    if let claims = rehearsal.idToken {
      parts += JSONValue.object(claims).parts()
        .map { JSONLeaf(place: .idToken, path: $0.path, value: $0.value) }
    }
    parts += rehearsal.credential.sorted { $0.key < $1.key }
      .map { JSONLeaf(place: .credential, path: [.name($0.key)], value: .string($0.value)) }
    return (parts + sealedParts).filter { $0.text?.contains("{idToken}") != true }
  }

  /// The scene with another value at one place; nil removes it.
  func rehearsal(with value: JSONValue?, at leaf: JSONLeaf) -> Rehearsal {
    rehearsal(with: value, at: [leaf])
  }

  /// The scene with another value in several places.
  func rehearsal(with value: JSONValue?, at leaves: [JSONLeaf]) -> Rehearsal {
    var changed = resealed(with: value, at: leaves) ?? rehearsal
    for leaf in leaves {
      switch leaf.place {
      case .sealed: break
      case .exchange(let index):
        switch changed.exchanges[index].response.body {
        case .json(let json):
          changed.exchanges[index].response.body = .json(json.replacing(leaf.path, with: value))
        case .text: changed.exchanges[index].response.body = .text(value?.stringValue ?? "")
        case .none, .base64: break
        }
      case .idToken:
        if case .object(let claims) = JSONValue.object(changed.idToken ?? [:])
          .replacing(leaf.path, with: value)
        {
          changed.idToken = claims
        }
      case .credential:
        changed.credential[leaf.name] = value.flatMap { $0.stringValue ?? $0.text }
        changed.refusesUnknown = true
      }
    }
    return changed
  }

  /// The place of a value, in the names of cases.
  func title(of leaf: JSONLeaf) -> String {
    switch leaf.place {
    case .exchange(let index): title(of: .exchange(index))
    case .idToken: "the ID token"
    case .credential: "the credential"
    case .sealed(let place): place.title
    }
  }

  /// The name of a case that changes a value: `GET /users/@me gives null as id`.
  func title(of leaf: JSONLeaf, becoming value: JSONValue?) -> String {
    let path = leaf.path.isEmpty ? "its text" : leaf.pathText
    guard let value else { return "\(title(of: leaf)) leaves out \(path)" }
    let text = value.text
    let short = text.count > 40 ? "\(text.prefix(12))… (\(text.count) characters)" : text
    return "\(title(of: leaf)) gives \(short) as \(path)"
  }
}
