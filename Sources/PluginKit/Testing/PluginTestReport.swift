/// What became of the cases of one plug-in file.
public struct PluginTestReport: Sendable {
  /// One case, and why it failed.
  public struct Case: Sendable, Hashable {
    /// The scenario of the fixture; nil for what needs none.
    public let scenario: String?
    public let group: Group
    /// Says what was tried, such as `GET /users/@me answers 500`.
    public let name: String
    /// What came out and what should have; nil where the case passed.
    public let failure: String?
    /// What the plug-in logged, a line each, in its order.
    public var log: [String] = []

    public var passed: Bool { failure == nil }
  }

  /// What a case is about.
  public enum Group: String, Sendable, CaseIterable {
    /// A scenario of the fixture itself.
    case scenario
    /// The vendor's server fails.
    case transport
    /// The vendor names somebody else, or nobody.
    case subject
    /// The vendor's word on the address.
    case email
    /// The token is another app's.
    case app
    /// The ID token is hostile.
    case token
    /// The vendor leaves something out, or says it in another form.
    case shape
    /// The credential was touched.
    case credential
    /// The credential comes a second time.
    case replay
    /// What every provider promises.
    case promise
  }

  /// What messages call the plug-in file.
  public let file: String
  public internal(set) var cases: [Case] = []
  /// Why nothing could be tested; nil where it could.
  public internal(set) var obstacle: String?
  /// Whether no case is of the name that was asked for.
  public internal(set) var isUnmatched = false

  public var failures: [Case] { cases.filter { !$0.passed } }
  public var passed: Bool { obstacle == nil && failures.isEmpty }
}
