import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import HTTPClientTransport
import LuaPlugins
import PluginKit

/// `authgraph plugin record`: one sign-in at the real vendor, kept as a scenario without its secrets.
struct PluginRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Sign in at the vendor once, and add what it answered to the plug-in's fixture.",
    discussion: """
      Values are NAME=VALUE; secrets are NAME=@FILE or NAME=env:VARIABLE and are refused otherwise. Tokens and \
      secrets are replaced in the fixture; names and addresses of people are not, so look it through.
      """)

  @Option(
    name: .customLong("setting"),
    help: ArgumentHelp(
      "A setting of the provider. Elements of a list are separated by commas.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("credential"),
    help: ArgumentHelp("A field of the credential.", valueName: "builder.field=value"))
  var credential: [String] = []

  @Option(name: .customLong("name"), help: "What the scenario is called.")
  var scenario = "recorded"

  @Argument(help: "The plug-in.", completion: .file(extensions: ["lua"]))
  var file: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let source = try PluginSource(path: file)
      let recording = try PluginRecording(
        source, settings: settings, credential: credential, scenario: scenario)
      let result = try waiting { try await recording.signIn() }
      let path = try recording.keep(result)
      switch result {
      case .success(let identity):
        let subject = identity.key?.subject ?? "nobody"
        try StandardStreams.print(
          VisibleText.neutralised("\(subject) is signed in; \"\(scenario)\" is in \(path)."))
      case .failure(let error):
        try StandardStreams.print(
          VisibleText.neutralised(
            "It was refused, and \"\(scenario)\" in \(path) says so: \(error)"))
      }
      try replay()
    }
  }

  /// Tests the new scenario at once: some vendors' answers cannot be replayed without the real secrets.
  private func replay() throws {
    let (file, scenario) = (file, scenario)
    let report = try waiting { await PluginTest(filter: scenario).run(file: file) }
    let own = report.cases.first { $0.group == .scenario && $0.scenario == scenario }
    if let failure = own?.failure ?? report.obstacle {
      ConsoleOutput.warn(
        VisibleText.neutralised(
          "It does not replay yet: \(failure) What was made of a secret differs with another one; "
            + "correct the fixture by hand."))
      throw ExitCode.failure
    }
  }
}

/// One sign-in that is recorded.
private struct PluginRecording: Sendable {
  private let source: PluginSource
  private let declaration: PluginDeclaration
  private let scenario: String
  private let values: [String: JSONValue]
  private let builder: CredentialBuilder
  private let fields: [String: String]
  private let recorder: PluginRecorder
  private let transport = HTTPClientTransport()

  init(
    _ source: PluginSource, settings: [String], credential: [String], scenario: String
  ) throws {
    self.source = source
    self.scenario = scenario
    declaration = try LuaPlugin.provider(source, host: PluginHost(transport: NoNetwork()))
      .declaration
    values = try Self.values(settings, declaration)
    (builder, fields) = try Self.credential(credential, declaration)
    recorder = PluginRecorder(
      transport, declaration: declaration, settings: values, builder: builder.name,
      credential: fields)
  }

  private static func values(
    _ options: [String], _ declaration: PluginDeclaration
  ) throws(AuthError) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for option in options {
      let input = try PluginInput(option, field: "setting")
      guard let field = declaration.settings.first(where: { $0.name == input.name }) else {
        throw AuthError(
          .invalidArgument, "There is no setting \"\(input.name)\".", field: "setting",
          remedy: suggestion(for: input.name, among: declaration.settings.map(\.name)))
      }
      values[input.name] = try field.value(of: input)
    }
    return values
  }

  private static func credential(
    _ options: [String], _ declaration: PluginDeclaration
  ) throws(AuthError) -> (CredentialBuilder, [String: String]) {
    var fields: [String: String] = [:]
    var chosen: CredentialBuilder?
    for option in options {
      let input = try PluginInput(option, field: "credential")
      let parts = input.name.split(separator: ".", maxSplits: 1).map(String.init)
      let names = declaration.builders.flatMap { builder in
        builder.fields.map { "\(builder.name).\($0.name)" }
      }
      guard parts.count == 2, chosen == nil || chosen?.name == parts[0],
        let builder = declaration.builders.first(where: { $0.name == parts[0] }),
        let field = builder.fields.first(where: { $0.name == parts[1] })
      else {
        throw AuthError(
          .invalidArgument, "There is no field \"\(input.name)\" of one builder.",
          field: "credential", remedy: suggestion(for: input.name, among: names))
      }
      chosen = builder
      fields[field.name] = try input.value(isSecret: field.isSecret)
    }
    guard let chosen else {
      throw AuthError(
        .invalidArgument, "There is no credential to sign in with.", field: "credential",
        remedy: "Give --credential BUILDER.FIELD=VALUE.")
    }
    return (chosen, fields)
  }

  func signIn() async throws -> Result<VerifiedIdentity, AuthError> {
    let provider = try LuaPlugin.provider(source, host: PluginHost(transport: recorder))
    let secretNames = declaration.settings.filter { $0.type == .secret }.map(\.name)
    let settings = ProviderSettings(
      declaration.id, values.filter { !secretNames.contains($0.key) },
      secrets: values.filter { secretNames.contains($0.key) }.compactMapValues(\.stringValue))
    let context = VerificationContext(
      scope: Scope(project: "recording"), purpose: .signIn, now: .now(), settings: settings)
    do {
      try provider.check(settings)
      let credential = try builder.credential(for: declaration.id, fields)
      let identity = try await provider.verify(credential, context)
      try await transport.shutdown()
      return .success(identity)
    } catch let error as AuthError {
      guard error.code != .pluginFailed, error.code != .invalidArgument else { throw error }
      return .failure(error)
    }
  }

  /// Adds the scenario to the fixture, which is made where there is none; gives the fixture's path.
  func keep(_ result: Result<VerifiedIdentity, AuthError>) throws -> String {
    guard let path = source.fixturePath else { return "" }
    let name = URL(filePath: path).lastPathComponent
    let second = Timestamp.now().milliseconds / 1000
    var fixture =
      FileManager.default.fileExists(atPath: path)
      ? try Fixture(of: source)
      : Fixture(
        name: name, now: Timestamp(milliseconds: second * 1000),
        settings: recorder.fixtureSettings)
    guard !fixture.scenarios.contains(where: { $0.name == scenario }) else {
      throw AuthError(
        .invalidArgument, "\(name) has a scenario \"\(scenario)\" already.", field: "name",
        remedy: "Give this one another name with --name.")
    }
    var recorded = recorder.scenario(named: scenario, result)
    recorded.settings = recorder.fixtureSettings.filter { fixture.settings[$0.key] != $0.value }
    fixture.scenarios.append(recorded)
    let text = fixture.text
    guard !recorder.leaks(text) else {
      throw AuthError(
        .internalError, "The recording still holds a secret and was not kept.",
        remedy: "Write the scenario by hand.")
    }
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    return path
  }
}
