import AuthCore
import Foundation
import LuaPlugins
import ProviderChecks

/// Tests plug-in files with recorded answers, and with vendors that lie and fail.
///
/// Each scenario of a fixture is played first. One that ends with an identity is then played again with a fault:
/// the vendor fails at each request, names another person or none, withdraws the verification of the address,
/// answers for another app, or leaves members out. Hostile ID tokens, changed credentials and a second use follow.
/// No network is used, and there is no waiting.
public struct PluginTest: Sendable {
  /// The text in the name or heading of a counted case, or the name of its group; nil counts all.
  public var filter: String?

  /// Makes a test.
  public init(filter: String? = nil) {
    self.filter = filter
  }

  /// Tests files, several at once; returns the reports in the order of the files.
  ///
  /// If one file has a case that matches the filter, the others need none.
  public func run(files: [String]) async -> [PluginTestReport] {
    await withTaskGroup(of: (Int, PluginTestReport).self) { group in
      for (index, file) in files.enumerated() {
        group.addTask { (index, await run(file: file)) }
      }
      var reports: [(Int, PluginTestReport)] = []
      for await report in group { reports.append(report) }
      return Self.settled(reports.sorted { $0.0 < $1.0 }.map(\.1))
    }
  }

  private static func settled(_ reports: [PluginTestReport]) -> [PluginTestReport] {
    guard reports.contains(where: { !$0.cases.isEmpty }) else { return reports }
    return reports.map { report in
      var report = report
      if report.isUnmatched { report.obstacle = nil }
      return report
    }
  }

  /// Tests one file with the fixture beside it, or a bundle with its own.
  public func run(file: String) async -> PluginTestReport {
    var report = PluginTestReport(file: file)
    do {
      let source = try PluginSource(path: file)
      // A file that does not load needs no fixture first.
      _ = try LuaPlugin.provider(source, host: PluginHost(transport: NoVendor()))
      try await test(source, try Fixture(of: source), &report)
    } catch {
      report.obstacle = "\(error)"
    }
    return report
  }

  /// Tests a plug-in and a fixture that are given as texts.
  public func run(plugin: String, fixture: String, name: String) async -> PluginTestReport {
    var report = PluginTestReport(file: name)
    do {
      try await test(
        PluginSource(name: name, text: plugin), try Fixture(text: fixture, name: "the fixture"),
        &report)
    } catch {
      report.obstacle = "\(error)"
    }
    return report
  }

  private func test(
    _ source: PluginSource, _ fixture: Fixture, _ report: inout PluginTestReport
  ) async throws {
    guard !fixture.scenarios.isEmpty else {
      throw AuthError(
        .invalidArgument, "\(fixture.name) has no scenario.", field: "scenarios",
        remedy: "Add one, or record one with authgraph plugin record \(source.name).")
    }
    for scenario in fixture.scenarios {
      try await play(scenario, of: fixture, by: source, &report)
    }
    try await browser(source, fixture, &report)
    try await promises(source, fixture, &report)
    if filter != nil, report.cases.isEmpty {
      report.isUnmatched = true
      throw AuthError(
        .invalidArgument, "\(source.name) has no case \"\(filter ?? "")\".", field: "case",
        remedy: "Leave --case out to see them all.")
    }
  }

  private func play(
    _ scenario: Fixture.Scenario, of fixture: Fixture, by source: PluginSource,
    _ report: inout PluginTestReport
  ) async throws {
    let runner: ScenarioRunner
    do {
      runner = try ScenarioRunner(source, fixture, scenario)
    } catch let error as AuthError where error.code != .invalidPlugin {
      record(scenario.name, .scenario, of: scenario.name, failure: "\(error)", &report)
      return
    }
    let rehearsal = Rehearsal(runner.scenario)
    let outcome = try await runner.run(rehearsal)
    let failure = ScenarioCheck(scenario: runner.scenario, declaration: runner.declaration)
      .failure(of: outcome)
    record(
      scenario.name, .scenario, of: scenario.name, failure: failure, log: runner.lines, &report)
    guard failure == nil, let identity = outcome.identity else { return }
    for finding in try await BrowserRehearsal(runner: runner).callback(giving: identity) {
      record(
        finding.name, .browser, of: scenario.name, failure: finding.failure, log: runner.lines,
        &report)
    }
    let scene = Scene(
      runner: runner, rehearsal: rehearsal, identity: identity, log: outcome.log)
    for suite in HostileSuite.all {
      for hostile in try await suite(scene)
      where isWanted(scenario.name, hostile.name, hostile.group) {
        let failure = try await hostile.failure(on: runner)
        record(
          hostile.name, hostile.group, of: scenario.name, failure: failure, log: runner.lines,
          &report)
      }
    }
  }

  /// Rehearses the browser's half once, with the first scenario of a code or else with the first scenario.
  private func browser(
    _ source: PluginSource, _ fixture: Fixture, _ report: inout PluginTestReport
  ) async throws {
    guard let scenario = fixture.browserScenario,
      let runner = try? ScenarioRunner(source, fixture, scenario)
    else { return }
    for finding in try await BrowserRehearsal(runner: runner).findings() {
      record(
        finding.name, .browser, of: nil, failure: finding.failure, log: runner.lines, &report)
    }
  }

  private func promises(
    _ source: PluginSource, _ fixture: Fixture, _ report: inout PluginTestReport
  ) async throws {
    for check in ProviderCheck.all where isWanted(nil, check.description, .promise) {
      let transport = ReplayTransport(
        Rehearsal(fixture.scenarios[0]), rules: [])
      let now = fixture.now
      let provider = try LuaPlugin.provider(
        source, host: PluginHost(transport: transport, clock: { now }))
      var failure: String?
      do {
        try await check.run(provider)
      } catch {
        failure = "\(check.description): \(error)"
      }
      record(check.description, .promise, of: nil, failure: failure, &report)
    }
  }

  private func isWanted(
    _ scenario: String?, _ name: String, _ group: PluginTestReport.Group
  ) -> Bool {
    guard let filter else { return true }
    return PluginTestReport.Case.matches(filter, name: name, scenario: scenario, group: group)
  }

  private func record(
    _ name: String, _ group: PluginTestReport.Group, of scenario: String?, failure: String?,
    log: [PluginLogRecord] = [], _ report: inout PluginTestReport
  ) {
    guard isWanted(scenario, name, group) else { return }
    let lines = log.map { record in
      "\(record.level.rawValue)\(record.place.map { " \($0)" } ?? ""): \(record.message)"
    }
    report.cases.append(
      PluginTestReport.Case(
        scenario: scenario, group: group, name: name, failure: failure, log: lines))
  }
}

/// Refuses every request, because a declaration sends none.
private struct NoVendor: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(.networkRequestFailed, "There is no network here.")
  }
}
