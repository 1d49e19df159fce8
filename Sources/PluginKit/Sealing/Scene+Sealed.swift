import AuthCore

/// The place of a value that the vendor signs.
enum SealedPlace: Hashable {
  /// A field of a form, or a value of a JSON object, of a payload.
  case payload(String, isForm: Bool)
  /// A field of the credential whose fields are signed together.
  case credential

  var title: String {
    switch self {
    case .payload(let name, _): "the signed \(name)"
    case .credential: "the signed credential"
    }
  }
}

extension JSONLeaf {
  /// True if the place holds texts only.
  var takesTextOnly: Bool {
    switch place {
    case .credential, .sealed(.credential), .sealed(.payload(_, isForm: true)): true
    default: false
    }
  }

  /// The values that the place can hold, numbers and booleans as texts; nil stands for no value.
  func possible(_ values: [JSONValue?]) -> [JSONValue?] {
    guard takesTextOnly else { return values }
    var possible: [JSONValue?] = []
    for value in values {
      guard let value else {
        possible.append(nil)
        continue
      }
      guard !value.isContainer, value != .null else { continue }
      let text = JSONValue.string(value.stringValue ?? value.text)
      if !possible.contains(text) { possible.append(text) }
    }
    return possible
  }
}

extension Scene {
  /// Every value of the signed parts, without the signatures themselves.
  var sealedParts: [JSONLeaf] {
    let template = runner.template
    var parts: [JSONLeaf] = []
    for (name, recipe) in template.seals.payloads.sorted(by: { $0.key < $1.key }) {
      let isForm = recipe["form"] != nil
      guard let content = recipe["form"] ?? recipe["json"] else { continue }
      parts += content.parts()
        .map {
          JSONLeaf(place: .sealed(.payload(name, isForm: isForm)), path: $0.path, value: $0.value)
        }
    }
    if template.seals.coverCredential {
      parts += template.credential.sorted { $0.key < $1.key }.map {
        JSONLeaf(
          place: .sealed(.credential), path: [.name($0.key)], value: .string($0.value))
      }
    }
    return parts.filter { $0.text?.contains(/\{(hmac|signed|payload|now)/) != true }
  }

  /// The scene with another value at signed places, signed again; nil without such a place.
  func resealed(with value: JSONValue?, at leaves: [JSONLeaf]) -> Rehearsal? {
    var template = runner.template
    var isChanged = false
    for leaf in leaves {
      guard case .sealed(let place) = leaf.place else { continue }
      isChanged = true
      switch place {
      case .credential:
        template.credential[leaf.name] = value.flatMap { $0.stringValue ?? $0.text }
      case .payload(let name, let isForm):
        let path = [JSONLeaf.Step.name(isForm ? "form" : "json")] + leaf.path
        let value = isForm ? value.map { .string($0.stringValue ?? $0.text) } : value
        template.seals.payloads[name] = template.seals.payloads[name]?
          .replacing(path, with: value)
      }
    }
    guard isChanged, let sealed = try? runner.sealed(template) else { return nil }
    var renewed = rehearsal
    renewed.credential = sealed.credential
    renewed.exchanges = sealed.exchanges
    renewed.idToken = sealed.idToken
    renewed.refusesUnknown = true
    return renewed
  }
}
