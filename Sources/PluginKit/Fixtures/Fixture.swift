public import AuthCore

/// A vendor's answers in some sign-ins, and the identities or errors that a plug-in has to make of them.
///
/// PluginKit holds the tools for authors of provider plug-ins: a new file, a check, tests without the vendor, and a
/// recorder. Start here, then read ``PluginTest`` (runs fixtures and the hostile suite), ``PluginRecorder`` and
/// ``PluginTemplate``. It imports AuthCore, BuiltInProviders, FakeVendors, LuaPlugins and ProviderChecks.
///
/// A fixture is a JSON file beside its plug-in: `discord.com.fixture.json` beside `discord.com.lua`.
public struct Fixture: Sendable {
  /// The file's name, as messages use it.
  public let name: String
  /// The time of all its scenarios.
  public var now: Timestamp
  /// The provider's settings, including secrets.
  public var settings: [String: JSONValue]
  /// The sign-ins.
  public var scenarios: [Scenario]

  /// One sign-in.
  public struct Scenario: Sendable {
    /// The name of the scenario, unique in its fixture.
    public var name: String
    /// The origin of the answers; nil if the fixture does not say it.
    public var source: Source?
    /// Settings that are added to the fixture's or replace them.
    public var settings: [String: JSONValue]
    /// The builder of the credential.
    public var builder: String
    /// The credential's fields; `{idToken}`, `{payload NAME}`, `{hmac NAME}` and `{signed NAME}` stand for signed parts.
    public var credential: [String: String]
    /// The claims of an ID token signed with a test key; nil without an ID token.
    public var idToken: [String: JSONValue]?
    /// The parts of the credential that the vendor signs.
    var seals = Seals()
    /// The requests and answers.
    public var exchanges: [Exchange]
    /// The expected result.
    public var expectation: Expectation
  }

  /// A request, and the vendor's answer.
  public struct Exchange: Sendable, Hashable {
    /// The request.
    public var request: Request
    /// The vendor's answer.
    public var response: Response
  }

  /// A request; a real one has to have at least the listed headers, query, form and JSON members.
  public struct Request: Sendable, Hashable {
    /// The HTTP method.
    public var method = "GET"
    /// The URL without its query.
    public var url: String
    /// The listed fields of the query.
    public var query: [String: String] = [:]
    /// The listed header fields, with lower-case names.
    public var headers: [String: String] = [:]
    /// The listed fields of the form.
    public var form: [String: String] = [:]
    /// The listed members of the JSON body.
    public var json: [String: JSONValue] = [:]
  }

  /// The vendor's answer.
  public struct Response: Sendable, Hashable {
    /// The HTTP status.
    public var status = 200
    /// The header fields.
    public var headers: [String: String] = [:]
    /// The body.
    public var body = Body.none

    /// The body of an answer.
    public enum Body: Sendable, Hashable {
      /// An empty body.
      case none
      /// A JSON value, with the content type `application/json` unless the header fields name another one.
      case json(JSONValue)
      /// Any other text.
      case text(String)
      /// Bytes, in base64.
      case base64(String)
    }
  }

  /// The expected result of a sign-in.
  public enum Expectation: Sendable, Hashable {
    /// The fields to compare; null for a field that has to be absent.
    case identity([String: JSONValue])
    /// The refusal; a step or field that is nil is not compared.
    case error(code: String, step: String?, field: String?)
  }

  /// The time of fixtures that name none: 2026-11-01T12:00:00Z.
  public static let usualTime = Timestamp(milliseconds: 1_793_534_400_000)
}

extension Fixture.Request {
  /// The request in the names of cases: the method and the path.
  var title: String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = rest.drop { $0 != "/" }
    return "\(method) \(path.isEmpty ? "/" : String(path))"
  }
}
