import AuthCore
public import LuaPlugins

/// Rehearses the browser's half of a plug-in without its vendor, and finds what would break every sign-in.
public enum BrowserCheck {
  /// The findings `browser-sign-in`, errors; none for a plug-in that does not load or has no sign-in by browser.
  ///
  /// The settings are the fixture's, or made-up ones without a fixture.
  public static func findings(in source: PluginSource) async -> [PluginFinding] {
    guard let runner = runner(for: source),
      let findings = try? await BrowserRehearsal(runner: runner).findings()
    else { return [] }
    return findings.compactMap { finding in
      guard let failure = finding.failure else { return nil }
      return PluginFinding(
        "browser-sign-in", .error, file: source.name, field: "authorize", failure,
        remedy: "authgraph plugin test plays it with the fixture.")
    }
  }

  private static func runner(for source: PluginSource) -> ScenarioRunner? {
    if let fixture = try? Fixture(of: source), let scenario = fixture.browserScenario,
      let runner = try? ScenarioRunner(source, fixture, scenario)
    {
      return runner
    }
    guard
      let provider = try? LuaPlugin.provider(
        source, host: PluginHost(transport: ReplayTransport(Rehearsal(.none), rules: [])))
    else { return nil }
    let fixture = Fixture(
      name: "made-up settings", settings: madeUp(for: provider.declaration))
    return try? ScenarioRunner(source, fixture, .none)
  }

  /// A value for every required setting.
  private static func madeUp(for declaration: PluginDeclaration) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for field in declaration.settings where field.isRequired || field.name == "clientSecret" {
      values[field.name] =
        switch field.type {
        case .text:
          declaration.hostSettings.contains(field.name)
            ? "vendor.example" : .string("the-\(field.name)")
        case .secret: .string("the-\(field.name)")
        case .url: "https://vendor.example"
        case .list: [.string("the-\(field.name)")]
        case .flag: true
        case .number: 60
        case .names, .urls: [:]
        }
    }
    return values
  }
}

extension Fixture {
  /// The first scenario in which an authorization code signs a person in, or else the first one.
  var browserScenario: Scenario? {
    scenarios.first { scenario in
      if case .error = scenario.expectation { return false }
      return scenario.builder == AuthorizationGrant.builderName
    } ?? scenarios.first
  }
}

extension Fixture.Scenario {
  /// A scenario without requests.
  fileprivate static let none = Fixture.Scenario(
    name: "no scenario", settings: [:], builder: "", credential: [:], idToken: nil, exchanges: [],
    expectation: .error(code: "", step: nil, field: nil))
}
