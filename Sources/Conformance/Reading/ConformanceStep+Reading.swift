import AuthValues

extension ConformanceStep {
  private static let members = [
    "send", "as", "headers", "body", "form", "text", "status", "error", "answer", "answerHeaders",
    "lacks", "modes",
  ]

  /// Reads a step; `names` are those that `${…}` may use in its request.
  init(_ value: JSONValue, names: Set<String>, _ place: CasePlace) throws(AuthError) {
    let step = try CaseObject(value, "step", known: Self.members, place)
    let send = try step.neededText("send")
    let parts = send.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let method = HTTPRequest.Method(rawValue: parts[0]),
      parts[1].hasPrefix("/"), !parts[1].contains(" ")
    else { throw step.wrong("send", "a method and a path, such as \"GET /v1/projects\"") }
    self.method = method
    path = parts[1]
    caller = try step.word("as", Caller.self) ?? .client
    modes = try step.modes()
    var headers: [String: String] = [:]
    for (name, value) in try step.object("headers") ?? [:] {
      guard let text = value.stringValue else {
        throw step.wrong("headers", "texts by their names")
      }
      headers[name] = text
    }
    self.headers = headers
    body = try Self.body(of: step)
    for name in ["send", "headers", "body", "form", "text"] {
      guard let member = step.members[name] else { continue }
      try CaseTemplate.check(member, names: names, place)
    }
    expected = try ExpectedAnswer(step, names: names)
  }

  private static func body(of step: CaseObject) throws(AuthError) -> Body? {
    let given = ["body", "form", "text"].filter { step.members[$0] != nil }
    guard given.count < 2 else {
      throw step.place.fault(
        "A request has one body, not \(given.joined(separator: " and ")).", field: given[1])
    }
    if let value = step.members["body"] { return .json(value) }
    if let fields = try step.object("form") { return .form(fields) }
    return try step.text("text").map(Body.text)
  }
}

extension ExpectedAnswer {
  /// Reads what a step expects; `names` are those that earlier steps keep.
  init(_ step: CaseObject, names: Set<String>) throws(AuthError) {
    let reader = MatcherReader(place: step.place)
    switch step.members["error"] {
    case nil: failure = nil
    case .string(let code):
      try CaseTemplate.check(.string(code), names: names, step.place)
      failure = .code(code)
    case .some(let value): failure = .message(try reader.matcher(value))
    }
    status = try step.number("status") ?? (failure == nil ? 200 : 400)
    body = try step.members["answer"].map { value throws(AuthError) in try reader.matcher(value) }
    var headers: [String: Matcher] = [:]
    for (name, value) in try step.object("answerHeaders") ?? [:] {
      headers[name.lowercased()] = try reader.matcher(value)
    }
    self.headers = headers
    absent = try step.texts("lacks") ?? []
    // An answer may use names that it keeps itself.
    let known = names.union(keptNames)
    for name in freeNames.sorted() where !known.contains(name) {
      throw CaseTemplate.unknown(name, among: known, step.place)
    }
  }
}
