public import AuthCore

/// What a vendor said in some sign-ins, and what a plug-in has to make of it.
///
/// PluginKit is what an author of provider plug-ins works with: a new file, a check, tests without the vendor, and
/// a recorder. Start here, then read ``PluginTest`` (runs fixtures and the hostile suite), ``PluginRecorder`` and
/// ``PluginTemplate``. It imports AuthCore, BuiltInProviders, FakeVendors, LuaPlugins and
/// ProviderChecks.
///
/// A fixture is a JSON file beside its plug-in: `discord.com.fixture.json` beside `discord.com.lua`.
public struct Fixture: Sendable {
  /// What messages call it: the file's name.
  public let name: String
  /// The time of all its scenarios.
  public var now: Timestamp
  /// How the provider is set up, secrets among the rest.
  public var settings: [String: JSONValue]
  public var scenarios: [Scenario]

  /// One sign-in.
  public struct Scenario: Sendable {
    public var name: String
    /// Over the settings of the fixture.
    public var settings: [String: JSONValue]
    public var builder: String
    /// The credential's fields; `{idToken}` stands for the signed token.
    public var credential: [String: String]
    /// The claims of an ID token that is signed with a test key; nil where there is none.
    public var idToken: [String: JSONValue]?
    public var exchanges: [Exchange]
    public var expectation: Expectation
  }

  /// A request, and what the vendor answered.
  public struct Exchange: Sendable, Hashable {
    public var request: Request
    public var response: Response
  }

  /// What is asked; of headers, form, query and JSON what is listed has to be there.
  public struct Request: Sendable, Hashable {
    public var method = "GET"
    /// Without its query.
    public var url: String
    public var query: [String: String] = [:]
    public var headers: [String: String] = [:]
    public var form: [String: String] = [:]
    public var json: [String: JSONValue] = [:]
  }

  /// What is answered.
  public struct Response: Sendable, Hashable {
    public var status = 200
    public var headers: [String: String] = [:]
    public var body = Body.none

    public enum Body: Sendable, Hashable {
      case none
      case json(JSONValue)
      case text(String)
    }
  }

  /// How a sign-in has to end.
  public enum Expectation: Sendable, Hashable {
    /// The fields that are compared; null for one that has to be absent.
    case identity([String: JSONValue])
    case error(code: String, step: String?, field: String?)
  }

  /// The time of fixtures that name none: 2026-11-01T12:00:00Z.
  public static let usualTime = Timestamp(milliseconds: 1_793_534_400_000)
}

extension Fixture.Request {
  /// The request as cases name it: the method and the path.
  var title: String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = rest.drop { $0 != "/" }
    return "\(method) \(path.isEmpty ? "/" : String(path))"
  }
}
