import Foundation

/// The results of one plug-in file.
public struct PluginTestReport: Sendable {
  /// One case, and the reason of its failure.
  public struct Case: Sendable, Hashable {
    /// The scenario of the fixture; nil for a case that needs none.
    public let scenario: String?
    /// The topic of the case.
    public let group: Group
    /// The case in words, such as `GET /users/@me answers 500`.
    public let name: String
    /// The actual and the expected result; nil if the case passed.
    public let failure: String?
    /// The lines that the plug-in logged, in order.
    public var log: [String] = []

    /// True if the case did not fail.
    public var passed: Bool { failure == nil }

    /// The heading of the case: its scenario, or what every provider is tested for.
    public var title: String { Self.title(scenario, group) }

    /// Tells whether a case has a text in its name or heading, or the name of its group.
    static func matches(
      _ filter: String, name: String, scenario: String?, group: Group
    ) -> Bool {
      name.localizedCaseInsensitiveContains(filter)
        || title(scenario, group).localizedCaseInsensitiveContains(filter)
        || group.rawValue == filter.lowercased()
    }

    private static func title(_ scenario: String?, _ group: Group) -> String {
      scenario ?? (group == .browser ? "the sign-in by browser" : "the promises of every provider")
    }
  }

  /// The topic of a case.
  public enum Group: String, Sendable, CaseIterable {
    /// A scenario of the fixture itself.
    case scenario
    /// The vendor's server fails.
    case transport
    /// The vendor names another person or none.
    case subject
    /// The vendor's verification of the address.
    case email
    /// The token belongs to another app.
    case app
    /// The ID token is hostile.
    case token
    /// The vendor omits a value or changes its type.
    case shape
    /// The credential was changed.
    case credential
    /// The credential is used a second time.
    case replay
    /// The browser's half of the sign-in: the address, and the vendor's callback.
    case browser
    /// The promises of every provider.
    case promise
  }

  /// The plug-in file, as messages name it.
  public let file: String
  /// The cases in the order of their play.
  public internal(set) var cases: [Case] = []
  /// The reason why no test was possible; nil otherwise.
  public internal(set) var obstacle: String?
  /// True if no case matches the filter.
  public internal(set) var isUnmatched = false

  /// The failed cases.
  public var failures: [Case] { cases.filter { !$0.passed } }
  /// True if the tests ran and no case failed.
  public var passed: Bool { obstacle == nil && failures.isEmpty }
}
