import AuthCore
import BuiltInProviders

/// The answer of a plug-in's function `events`: a list of events, or a table with `events` and `response`.
struct EventAnswer {
  private static let fields = ["kind", "subject", "issuer", "at", "id", "reason"]
  private static let parts = ["events", "response"]
  private static let responseFields = ["status", "body", "json", "contentType"]

  let report: ProviderEventReport

  /// Reads an answer; `digest` stands in for a missing ID.
  ///
  /// Throws `plugin-failed` if the answer has another form, and `invalid-credential` for an event that is too old.
  init(_ answer: JSONValue, digest: String, now: Timestamp) throws(AuthError) {
    var list = answer
    var response = ProviderEventResponse(status: 200)
    if case .object(let members) = answer, !members.isEmpty {
      try Self.refuseUnknown(members.keys, among: Self.parts, of: "the answer of events")
      list = members["events"] ?? .array([])
      if let part = members["response"] { response = try Self.response(part) }
    }
    let values: [JSONValue]
    switch list {
    case .array(let elements): values = elements
    case .null: values = []
    case .object(let members) where members.isEmpty: values = []
    default: throw Self.fault("events returned no list of events")
    }
    guard values.count <= ProviderEvent.maximumCount else {
      throw Self.fault("events returned more than \(ProviderEvent.maximumCount) events")
    }
    guard response.status < 400 || values.isEmpty else {
      throw Self.fault("a response with the status \(response.status) refuses the events")
    }
    var events: [ProviderEvent] = []
    for (index, value) in values.enumerated() {
      events.append(try Self.event(value, digest: "\(digest) \(index)", now: now))
    }
    report = ProviderEventReport(events, response: response)
  }

  private static func event(
    _ value: JSONValue, digest: String, now: Timestamp
  ) throws(AuthError) -> ProviderEvent {
    guard case .object(let members) = value else { throw fault("an event is no table") }
    try refuseUnknown(members.keys, among: fields, of: "an event")
    let name = members["kind"]?.stringValue ?? ""
    guard let kind = ProviderEvent.Kind(rawValue: name) else {
      let known = ProviderEvent.Kind.allCases.map(\.rawValue)
      throw fault(
        "there is no kind of event \"\(name)\"; \(suggestion(for: name, among: known))")
    }
    let subject = try PluginIdentity.subject(members["subject"])
    var at: Timestamp?
    switch members["at"] {
    case nil: break
    case .integer(let milliseconds): at = Timestamp(milliseconds: milliseconds)
    case .number(let number) where number.magnitude < 1e15:
      at = Timestamp(milliseconds: Int64(number))
    default: throw fault("at of an event is no time in milliseconds")
    }
    if let at, at.adding(seconds: ProviderEvent.maximumAge) <= now {
      throw .refusedEvent("The event is older than seven days.", field: "at")
    }
    let id = members["id"]?.stringValue ?? members["id"]?.integerText ?? digest
    return ProviderEvent(
      kind, subject: subject, issuer: members["issuer"]?.stringValue ?? "", at: at, id: id,
      reason: members["reason"]?.stringValue)
  }

  private static func response(_ value: JSONValue) throws(AuthError) -> ProviderEventResponse {
    guard case .object(let members) = value else { throw fault("response is no table") }
    try refuseUnknown(members.keys, among: responseFields, of: "a response")
    var response = ProviderEventResponse(status: 200)
    switch members["status"] {
    case nil: break
    case .integer(let status) where (200...499).contains(status): response.status = Int(status)
    default: throw fault("the status of a response is no number from 200 to 499")
    }
    if let json = members["json"] {
      response.contentType = "application/json"
      response.body = json.text
    }
    response.body = members["body"]?.stringValue ?? response.body
    if let type = members["contentType"]?.stringValue {
      guard type.wholeMatch(of: /[a-z]+\/[a-z0-9.+-]{1,60}/) != nil else {
        throw fault("contentType of a response is no media type")
      }
      response.contentType = type
    }
    guard response.body.utf8.count <= 4096 else { throw fault("the response is over 4096 bytes") }
    return response
  }

  private static func refuseUnknown(
    _ names: some Collection<String>, among known: [String], of what: String
  ) throws(AuthError) {
    guard let unknown = names.sorted().first(where: { !known.contains($0) }) else { return }
    throw fault("\(what) has no \"\(unknown)\"; \(suggestion(for: unknown, among: known))")
  }

  private static func fault(_ message: String) -> AuthError {
    AuthError(.pluginFailed, message, remedy: "", step: .profile)
  }
}

extension JSONValue {
  fileprivate var integerText: String? {
    if case .integer(let number) = self { String(number) } else { nil }
  }
}
