import AuthCore
import BuiltInProviders
import FakeVendors
import LuaPlugins

/// Runs the rehearsals of one scenario, one after the other.
final class ScenarioRunner {
  /// The scenario with its signed parts in place.
  let scenario: Fixture.Scenario
  /// The scenario as the fixture has it, to change and to sign again.
  let template: Fixture.Scenario
  let declaration: PluginDeclaration
  let values: [String: JSONValue]
  /// The plug-in's rule for the scenario's ID token; nil if it accepts none.
  let rule: PluginTokenRule?
  private let source: PluginSource
  private let fixtureName: String
  private let now: Timestamp
  private let settings: ProviderSettings
  private let rules: [PluginTokenRule]
  private let keys: VendorKeys?
  private let log = ScriptLog()
  private var current: (provider: any LuaProvider, transport: ReplayTransport)
  /// The lines that the plug-in logged in the last rehearsal.
  private(set) var lines: [PluginLogRecord] = []
  private var lastToken: (claims: [String: JSONValue], token: String)?

  /// Prepares a scenario; throws `invalid-argument` for impossible settings and tokens, or `invalid-plugin`.
  init(_ source: PluginSource, _ fixture: Fixture, _ scenario: Fixture.Scenario) throws {
    self.source = source
    template = scenario
    fixtureName = fixture.name
    now = fixture.now
    values = fixture.settings.merging(scenario.settings) { _, own in own }
    let scenario = try scenario.sealed(values, now: now, file: fixture.name)
    self.scenario = scenario
    let transport = ReplayTransport(Rehearsal(scenario), rules: [])
    let provider = try LuaPlugin.provider(
      source, host: Self.host(transport, now, log))
    declaration = provider.declaration
    settings = try Self.settings(values, declaration, fixture.name)
    try provider.check(settings)
    do {
      rules = try declaration.tokenRules(settings)
    } catch  where scenario.idToken == nil {
      // A token's setting may be missing if the scenario signs in without one, as at a sign-in.
      rules = []
    }
    rule = Self.rule(for: scenario, rules)
    keys = try Self.keys(for: scenario, rule)
    current = (provider, transport)
    current = try renewed()
  }

  private static func host(
    _ transport: ReplayTransport, _ now: Timestamp, _ log: ScriptLog
  ) -> PluginHost {
    var limits = PluginLimits()
    // A busy machine must not fail a script; the instructions are still counted.
    limits.cpuTime = .seconds(5)
    limits.time = .seconds(60)
    return PluginHost(
      transport: transport, clock: { now }, limits: limits, log: { log.append($0) },
      randomSeed: { 0 })
  }

  /// The provider with empty caches, for a run of its own.
  private func renewed(
    after delay: Int64 = 0
  ) throws -> (provider: any LuaProvider, transport: ReplayTransport) {
    let transport = ReplayTransport(Rehearsal(scenario), rules: rules)
    let host = Self.host(transport, now.adding(seconds: delay), log)
    return (try LuaPlugin.provider(source, host: host), transport)
  }

  /// Plays a rehearsal.
  ///
  /// A rehearsal that needs empty caches has its own, which no other one sees.
  func run(_ rehearsal: Rehearsal) async throws -> Outcome {
    let (provider, transport) =
      rehearsal.needsFreshCaches ? try renewed(after: rehearsal.delay) : current
    let token = try prepare(rehearsal, transport)
    log.clear()
    let ending = await ending(of: rehearsal, provider, idToken: token)
    lines = log.lines
    return Outcome(ending: ending, log: transport.log)
  }

  var time: Timestamp { now }

  /// The provider if it has a sign-in by browser, and the context of a sign-in.
  var browserFlow: (any AuthorizationFlow)? {
    current.provider.hasBrowserFlow ? current.provider : nil
  }

  var context: VerificationContext {
    VerificationContext(
      scope: Scope(project: "test"), purpose: .signIn, now: now, settings: settings)
  }

  /// Signs a changed scenario again.
  func sealed(_ template: Fixture.Scenario) throws(AuthError) -> Fixture.Scenario {
    try template.sealed(values, now: now, file: fixtureName)
  }

  /// Prepares the vendor; returns the ID token.
  private func prepare(_ rehearsal: Rehearsal, _ transport: ReplayTransport) throws -> String {
    guard let keys, let claims = rehearsal.idToken else {
      transport.play(rehearsal, idToken: "", keySet: ["keys": []])
      return ""
    }
    var signing = keys
    if rehearsal.needsFreshCaches, let rule {
      signing = try Self.vendorKeys(for: rule, of: scenario.name)
    }
    let seconds = now.milliseconds / 1000
    let honest = claims.merging([
      "iat": claims["iat"] ?? .integer(seconds), "exp": claims["exp"] ?? .integer(seconds + 3600),
    ]) { _, own in own }.filter { $0.value != .null }
    let token: String
    switch rehearsal.token {
    case .honest: token = try signed(honest, by: signing, isFresh: rehearsal.needsFreshCaches)
    case .hostile(let form):
      token = try form.forge(
        honest, keys: signing, url: "https://\(TransportTrouble.elsewhere)", now: now)
    }
    transport.play(rehearsal, idToken: token, keySet: try signing.published())
    return token
  }

  /// Signs claims; the token of unchanged claims, as in most rehearsals, is reused.
  private func signed(
    _ claims: [String: JSONValue], by keys: VendorKeys, isFresh: Bool
  ) throws -> String {
    if !isFresh, let (known, token) = lastToken, known == claims { return token }
    let token = try keys.current().jws(.object(claims))
    if !isFresh { lastToken = (claims, token) }
    return token
  }

  private func ending(
    of rehearsal: Rehearsal, _ provider: any LuaProvider, idToken: String
  ) async -> Outcome.Ending {
    let fields = rehearsal.credential.mapValues { $0.replacing("{idToken}", with: idToken) }
    do {
      guard let builder = declaration.builders.first(where: { $0.name == scenario.builder })
      else {
        throw AuthError(
          .invalidArgument, "There is no builder \"\(scenario.builder)\".",
          field: "credential.builder",
          remedy: suggestion(for: scenario.builder, among: declaration.builders.map(\.name)))
      }
      let credential = try builder.credential(for: declaration.id, fields)
      let context = VerificationContext(
        scope: Scope(project: "test"), purpose: .signIn,
        now: now.adding(seconds: rehearsal.delay), settings: settings)
      return .identity(try await provider.verify(credential, context))
    } catch {
      return Outcome.ending(error)
    }
  }
}

extension ScenarioRunner {
  private static func settings(
    _ values: [String: JSONValue], _ declaration: PluginDeclaration, _ file: String
  ) throws(AuthError) -> ProviderSettings {
    let fields = declaration.settings
    var secrets: [String: String] = [:]
    var plain: [String: JSONValue] = [:]
    for (name, value) in values {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw AuthError(
          .invalidArgument, "\(file): there is no setting \"\(name)\".", field: "settings.\(name)",
          remedy: suggestion(for: name, among: fields.map(\.name)))
      }
      if field.type == .secret {
        secrets[name] = value.stringValue
      } else {
        plain[name] = value
      }
    }
    return ProviderSettings(declaration.id, plain, secrets: secrets)
  }

  private static func rule(
    for scenario: Fixture.Scenario, _ rules: [PluginTokenRule]
  ) -> PluginTokenRule? {
    let issuer = scenario.idToken?["iss"]?.stringValue
    return rules.first { rule in issuer.map(rule.issuers.contains) ?? false } ?? rules.first
  }

  private static func keys(
    for scenario: Fixture.Scenario, _ rule: PluginTokenRule?
  ) throws -> VendorKeys? {
    guard scenario.idToken != nil else { return nil }
    // A plug-in without ID tokens is given one too, and must not read it.
    guard let rule else { return VendorKeys(name: "test", algorithm: .es256) }
    return try vendorKeys(for: rule, of: scenario.name)
  }

  private static func vendorKeys(
    for rule: PluginTokenRule, of scenario: String
  ) throws(AuthError) -> VendorKeys {
    guard let algorithm = rule.algorithms.first(where: SigningKey.algorithms.contains) else {
      throw AuthError(
        .invalidArgument,
        "\(scenario): ID tokens cannot be signed here with "
          + "\(rule.algorithms.map(\.rawValue).joined(separator: ", ")).", field: "idToken",
        remedy: "Test keys sign with RS256 and ES256.")
    }
    return VendorKeys(name: "test", algorithm: algorithm)
  }
}
