/// The JSON of an answer in a recorded decision.
extension PolicyJudgement.Ruling: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.writeOrNull(json) }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Reads the JSON; throws if it is no answer.
  public init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(JSONValue.self)
    guard let ruling = Self(json) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "It is no answer of a policy."))
    }
    self = ruling
  }

  /// The answer as the console's `--json` and the log of decisions have it.
  package var json: JSONValue {
    switch self {
    case .failure(let message): return ["failure": .string(message)]
    case .answer(.merge(let into, let from, let rules)):
      var members: [String: JSONValue] = [
        "answer": "merge", "into": .string(into.rawValue), "from": .string(from.rawValue),
      ]
      if !rules.fields.isEmpty {
        members["fields"] = .object(
          Dictionary(
            uniqueKeysWithValues: rules.fields.map { ($0.key.rawValue, $0.value.json) }))
      }
      if !rules.droppedIdentities.isEmpty {
        members["dropIdentities"] = .array(rules.droppedIdentities.map(\.decisionJSON))
      }
      return .object(members)
    case .answer(.refuse(let refusal)):
      return .object([
        "answer": "refuse", "reason": .string(refusal.reason), "code": .optional(refusal.code),
        "place": .optional(refusal.place),
      ])
    case .answer(.require(let requirement)):
      var members: [String: JSONValue] = [
        "answer": "require", "requirement": .string(requirement.name),
      ]
      if case .recentLogin(let seconds?) = requirement { members["seconds"] = .integer(seconds) }
      return .object(members)
    case .answer(.review(let reason)): return ["answer": "review", "reason": .string(reason)]
    }
  }

  private init?(_ json: JSONValue) {
    if let message = json["failure"]?.stringValue {
      self = .failure(message)
      return
    }
    let reason = json["reason"]?.stringValue ?? ""
    switch (json["answer"]?.stringValue, json["requirement"]?.stringValue) {
    case ("merge", _):
      guard let into = json["into"]?.stringValue, let from = json["from"]?.stringValue else {
        return nil
      }
      self = .answer(.merge(into: AccountID(into), from: AccountID(from), MergeRules(json)))
    case ("refuse", _):
      self = .answer(
        .refuse(
          MergeRefusal(
            reason, code: json["code"]?.stringValue, place: json["place"]?.stringValue)))
    case ("require", let name?):
      let seconds: Int64? =
        if case .integer(let seconds)? = json["seconds"] { seconds } else { nil }
      guard let requirement = Requirement(named: name, seconds: seconds) else { return nil }
      self = .answer(.require(requirement))
    case ("review", _): self = .answer(.review(reason))
    default: return nil
    }
  }
}

extension FieldRule {
  fileprivate var json: JSONValue {
    if case .value(let value) = self { ["value": value] } else { .string(name) }
  }

  fileprivate init?(_ json: JSONValue, of field: MergeField) {
    if let value = json["value"] {
      self = .value(value)
    } else if let name = json.stringValue, let rule = try? FieldRule(name: name, field: field) {
      self = rule
    } else {
      return nil
    }
  }
}

extension MergeRules {
  fileprivate init(_ json: JSONValue) {
    self.init()
    if case .object(let members)? = json["fields"] {
      for (name, value) in members {
        guard let field = MergeField(rawValue: name) else { continue }
        fields[field] = FieldRule(value, of: field)
      }
    }
    if case .array(let keys)? = json["dropIdentities"] {
      droppedIdentities = keys.compactMap(IdentityKey.init(decisionJSON:))
    }
  }
}

extension IdentityKey {
  fileprivate var decisionJSON: JSONValue {
    [
      "provider": .string(provider.rawValue), "issuer": .string(issuer),
      "subject": .string(subject),
    ]
  }

  fileprivate init?(decisionJSON json: JSONValue) {
    guard let provider = json["provider"]?.stringValue, let subject = json["subject"]?.stringValue
    else { return nil }
    self.init(
      ProviderID(provider), issuer: json["issuer"]?.stringValue ?? "", subject: subject)
  }
}
