public import AuthValues

/// The behaviour that a case expects of a server.
public enum ConformanceMode: String, Sendable, Hashable, CaseIterable {
  /// That of Firebase's emulator: every credential is believed, and `owner` is an admin.
  case emulator
  /// That of a server for people.
  case production
}

/// A promise of the protocol: requests in their order, and the answers that they get.
public struct ConformanceCase: Sendable {
  /// The part of the protocol, such as `accounts:signUp`.
  public let area: String
  /// The promise in one sentence; unique in its area.
  public let name: String
  /// The modes that make this promise.
  public let modes: Set<ConformanceMode>
  /// Members of the project's configuration that the case needs; they are put back after it.
  public let settings: JSONValue?
  /// The requests, in their order.
  public let steps: [ConformanceStep]
}

/// One request of a case, and its expected answer.
public struct ConformanceStep: Sendable {
  /// The caller of a request.
  public enum Caller: String, Sendable, CaseIterable {
    /// An app, with its API key.
    case client
    /// An admin, with a bearer token.
    case admin
    /// A caller with neither; the headers of the step may have one.
    case nobody
  }

  /// The body of a request.
  public enum Body: Sendable {
    /// JSON.
    case json(JSONValue)
    /// Fields of a form, in the order of their names.
    case form([String: JSONValue])
    /// A text that is sent as JSON, however malformed.
    case text(String)
  }

  /// The HTTP method.
  public let method: HTTPRequest.Method
  /// The path and query, with names in `${…}`.
  public let path: String
  /// The caller.
  public let caller: Caller
  /// Further headers, which replace those of the runner.
  public let headers: [String: String]
  /// The body; nil for none.
  public let body: Body?
  /// The modes in which the step is sent.
  public let modes: Set<ConformanceMode>
  let expected: ExpectedAnswer
}

/// The answer that a step expects.
struct ExpectedAnswer: Sendable {
  /// The error's code, or a matcher of its whole message.
  enum Failure: Sendable {
    case code(String)
    case message(Matcher)
  }

  let status: Int
  let failure: Failure?
  let body: Matcher?
  /// Matchers by the header's name in lower case.
  let headers: [String: Matcher]
  /// Members that the answer must not have.
  let absent: [String]
}
