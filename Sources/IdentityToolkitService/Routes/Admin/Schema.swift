import AuthCore

/// JSON shapes in the notation of JSON Schema and OpenAPI.
enum Schema {
  /// A named part of a body or of a query.
  struct Member: Sendable {
    let name: String
    let schema: JSONValue
    let summary: String
    var isRequired = false

    init(_ name: String, _ schema: JSONValue, _ summary: String, required: Bool = false) {
      self.name = name
      self.schema = schema
      self.summary = summary
      isRequired = required
    }
  }

  static let text: JSONValue = ["type": "string"]
  static let flag: JSONValue = ["type": "boolean"]
  static let number: JSONValue = ["type": "integer"]
  /// A number between 0 and 1.
  static let share: JSONValue = ["type": "number"]
  static let time: JSONValue = ["type": "string", "format": "date-time"]
  static let map: JSONValue = ["type": "object", "additionalProperties": true]

  /// An object with names that the caller chooses, up to a maximum number that requests must not exceed.
  static func map(most: Int) -> JSONValue {
    ["type": "object", "additionalProperties": true, "maxProperties": .integer(Int64(most))]
  }

  static func list(_ item: JSONValue) -> JSONValue { ["type": "array", "items": item] }

  /// A list up to a maximum length that requests must not exceed.
  static func list(_ item: JSONValue, most: Int) -> JSONValue {
    ["type": "array", "items": item, "maxItems": .integer(Int64(most))]
  }

  static func choice(_ values: [String]) -> JSONValue {
    ["type": "string", "enum": .array(values.map(JSONValue.string))]
  }

  /// An object with these members, of which those with names that end in `?` are optional.
  static func object(_ members: [String: JSONValue]) -> JSONValue {
    let required = members.keys.filter { !$0.hasSuffix("?") }.sorted()
    let properties = members.map { name, schema in
      (name.hasSuffix("?") ? String(name.dropLast()) : name, schema)
    }
    var schema: [String: JSONValue] = [
      "type": "object",
      "properties": .object(Dictionary(properties, uniquingKeysWith: { first, _ in first })),
    ]
    if !required.isEmpty { schema["required"] = .array(required.map(JSONValue.string)) }
    return .object(schema)
  }

  static func object(_ members: [Member]) -> JSONValue {
    var schema: [String: JSONValue] = [
      "type": "object",
      "properties": .object(
        Dictionary(
          members.map { ($0.name, described($0)) }, uniquingKeysWith: { first, _ in first })),
    ]
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  private static func described(_ member: Member) -> JSONValue {
    guard case .object(var schema) = member.schema, schema["$ref"] == nil else {
      return member.schema
    }
    schema["description"] = .string(member.summary)
    return .object(schema)
  }

  /// A list of a named schema, with the token of the next page.
  static func page(_ name: String, of schema: String) -> JSONValue {
    object([name: list(OpenAPI.reference(schema)), "nextPageToken?": text])
  }

  /// The shapes that answers share, by name.
  static let shared: [String: JSONValue] = [
    "Account": object([
      "uid": text, "email?": text, "emailVerified": flag, "displayName?": text, "photoURL?": text,
      "phoneNumber?": text, "disabled": flag, "isAnonymous": flag, "customClaims?": map,
      "metadata": object(["creationTime": time, "lastSignInTime?": time, "revision": number]),
      "providerData": list(OpenAPI.reference("Identity")),
      "multiFactor": list(OpenAPI.reference("SecondFactor")),
    ]),
    "Identity": object([
      "providerID": text, "uid": text, "issuer?": text, "email?": text, "displayName?": text,
      "photoURL?": text, "phoneNumber?": text, "linkedAt": time,
    ]),
    "SecondFactor": object([
      "uid": text, "factorID": choice(["phone", "totp"]), "displayName?": text,
      "phoneNumber?": text, "enrollmentTime?": text,
    ]),
    "Receipt": object([
      "id": text, "action": text, "accountID": text, "dryRun": flag,
      "trace": list(OpenAPI.reference("Step")), "changes?": list(OpenAPI.reference("ValueChange")),
      "losses?": OpenAPI.reference("Losses"),
      "waysIn?": list(object(["account": text, "ways": list(OpenAPI.reference("WayIn"))])),
      "undo?": OpenAPI.reference("Undo"),
    ]),
    "WayIn": object([
      "id": text, "kind": choice(WayIn.Kind.allCases.map(\.rawValue)), "provider?": text,
      "label?": text, "linkedAt?": time, "lastUsedAt?": time, "origin?": text, "usable": flag,
      "obstacle?": text, "endable": flag,
    ]),
    "Undo": object([
      "survivor": text, "absorbed": text, "needsForce": flag,
      "rows": list(
        object(["name": text, "now?": text, "survivor?": text, "absorbed?": text])),
      "changes": list(
        object(["name": text, "merged?": text, "now?": text, "kept": flag, "keepable": flag])),
    ]),
    // A value may be of any kind; a secret has neither. The account is set if it is not the receipt's.
    "ValueChange": object(["name": text, "account?": text, "from?": [:], "to?": [:]]),
    "Losses": object([
      "identities?": list(text), "email?": text, "phoneNumber?": text, "secondFactors?": list(text),
      "absorbed?": list(text), "waysIn": number, "restorableUntil?": time,
    ]),
    "Step": object(["rule": text, "inputs": map, "result": text]),
    "Plan": object([
      "survivor": OpenAPI.reference("Account"), "absorbed": OpenAPI.reference("Account"),
      "result": OpenAPI.reference("Account"),
      "fields": list(
        object([
          "field": text, "kept?": text, "other?": text, "result?": text, "rule": text,
          "differs": flag,
        ])),
      "movedIdentities": list(text), "droppedIdentities": list(text), "cutSessions": list(text),
      "notes": list(text), "decidedBy": text,
      "policyVersion?": OpenAPI.reference("DecidingVersion"),
    ]),
    "DecidingVersion": object(["number?": number, "digest": text, "role?": text]),
    "TransferPlan": object([
      "source": OpenAPI.reference("Account"), "target?": OpenAPI.reference("Account"),
      "sourceAfter": OpenAPI.reference("Account"), "targetAfter": OpenAPI.reference("Account"),
      "fields": list(
        object([
          "field": text, "before?": text, "source?": text, "target?": text, "rule": text,
        ])),
      "movedIdentities": list(text), "cutSessions": list(text), "shutAccounts": list(text),
      "notes": list(text),
    ]),
    "Decision": object([
      "id": text, "at": time, "code": text, "provider": text, "operation": text, "answer?": text,
      "conflict?": map,
      "judgements": list(
        object([
          "policy": text, "version?": OpenAPI.reference("DecidingVersion"), "answer": map,
        ])),
    ]),
    "Merge": object([
      "id": text, "at": time, "survivor": text, "absorbed": text, "actor": text, "reason?": text,
      "batch?": text, "undoneBy?": text, "endedAt?": time,
    ]),
    "Event": object([
      "id": text, "sequence": number, "at": time, "action": text, "actor": text, "reason?": text,
      "accountID?": text, "relatedIDs": list(text), "errorCode?": text, "details": map,
      "requestID?": text,
    ]),
    "DuplicateGroup": object(["key": text, "accounts": list(text)]),
    "Policy": object([
      "name": text, "file": text, "on": list(text), "unproven": flag, "text": text,
      "version?": number, "digest?": text, "level": text, "canary?": share, "trial?": map,
    ]),
    "PolicyVersion": object([
      "version": number, "digest": text, "file": text, "text?": text, "at": time, "actor": text,
      "reason?": text, "event": text, "level": text, "canary?": share, "goesBackTo?": number,
      "examplesPassed?": number, "examplesFailed?": number, "coverage?": share,
    ]),
    "Hooks": object(["file": text, "text": text]),
    "PolicyExample": object(["name": text, "passed": flag, "failure?": text, "log?": list(text)]),
    "Key": object([
      "id": text, "use": choice(["id-token", "session-cookie"]), "algorithm": text,
      "state": choice(["next", "signing", "retired"]), "createdAt": time, "activeFrom": time,
      "retiredAt?": time, "publishedUntil?": time,
    ]),
    "AdminToken": object([
      "name": text, "scopes": list(text), "createdAt": time, "createdBy": text, "expiresAt?": time,
      "serviceAccount?": object([
        "email": text,
        "keys": list(object(["id": text, "createdAt": time, "expiresAt?": time])),
      ]),
    ]),
    "Plugin": object([
      "id?": text, "name?": text, "kind?": text, "version?": text, "file?": text, "problem?": text,
      "release?": text, "author?": text, "license?": text, "icon?": text, "requires?": text,
    ]),
    "DeadLetter": object(["event": OpenAPI.reference("Event"), "attempts": number]),
    "Error": object([
      "error": object([
        "code": number, "message": text, "reason?": text, "remedy?": text, "field?": text,
        "eventID?": text, "status?": text,
      ])
    ]),
  ]
}
