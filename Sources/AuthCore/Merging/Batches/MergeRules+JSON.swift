/// The rules of a merge as JSON, for files and stored plans.
///
/// `fields` has rules by name, or `{"value": …}`; `dropIdentities` has identities with provider, issuer and subject.
extension MergeRules {
  /// The rules as JSON; an empty object for the defaults.
  public var json: JSONValue {
    var members: [String: JSONValue] = [:]
    if !fields.isEmpty {
      members["fields"] = .object(
        Dictionary(uniqueKeysWithValues: fields.map { ($0.rawValue, $1.json) }))
    }
    if !droppedIdentities.isEmpty {
      members["dropIdentities"] = .array(droppedIdentities.map(\.json))
    }
    return .object(members)
  }

  /// Reads rules, or throws `invalid-argument` with the field at fault.
  public init(json: JSONValue) throws(AuthError) {
    self.init()
    guard case .object(let members) = json else { throw Self.notRules("rules", "an object") }
    for name in members.keys.sorted() where !["fields", "dropIdentities"].contains(name) {
      throw Self.notRules(name, "fields or dropIdentities")
    }
    switch members["fields"] ?? .object([:]) {
    case .object(let rules):
      for name in rules.keys.sorted() {
        let field = try MergeField(named: name)
        fields[field] = try FieldRule(json: rules[name] ?? .null, field: field)
      }
    default: throw Self.notRules("fields", "an object of rules by field")
    }
    switch members["dropIdentities"] ?? .array([]) {
    case .array(let keys):
      for key in keys { droppedIdentities.append(try IdentityKey(json: key)) }
    default: throw Self.notRules("dropIdentities", "a list")
    }
  }

  fileprivate static func notRules(_ field: String, _ expected: String) -> AuthError {
    AuthError(
      .invalidArgument, "\(field) is not \(expected).", field: field,
      remedy: "Write it as a saved list has it, or leave it empty.")
  }
}

extension MergeRules: Codable {
  /// Reads rules from their JSON.
  public init(from decoder: any Decoder) throws {
    try self.init(json: try JSONValue(from: decoder))
  }

  /// Writes the JSON of the rules.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FieldRule {
  fileprivate var json: JSONValue {
    if case .value(let value) = self { return ["value": value] }
    return .string(name)
  }

  fileprivate init(json: JSONValue, field: MergeField) throws(AuthError) {
    if let name = json.stringValue {
      try self.init(name: name, field: field)
    } else if case .object(let members) = json, members.count == 1, let value = members["value"] {
      self = .value(value)
    } else {
      throw MergeRules.notRules(field.rawValue, "a rule's name or {\"value\": …}")
    }
  }
}

extension IdentityKey {
  fileprivate var json: JSONValue {
    [
      "provider": .string(provider.rawValue), "issuer": .string(issuer),
      "subject": .string(subject),
    ]
  }

  fileprivate init(json: JSONValue) throws(AuthError) {
    guard let provider = json["provider"]?.stringValue, let subject = json["subject"]?.stringValue
    else {
      throw MergeRules.notRules("dropIdentities", "a list of identities with provider and subject")
    }
    self.init(ProviderID(provider), issuer: json["issuer"]?.stringValue ?? "", subject: subject)
  }
}
