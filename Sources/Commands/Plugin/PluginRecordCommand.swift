import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import HTTPClientTransport
import LuaPlugins
import PluginKit

/// `authgraph plugin record`: records one sign-in at the real vendor as a scenario without its secrets.
struct PluginRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Sign in at the vendor once, and add its answers to the plug-in's fixture.",
    discussion: """
      Values are NAME=VALUE. NAME=@FILE reads the value from a file, without its last line break, and \
      NAME=env:VARIABLE from the environment. Secrets must come from one of these, because other programs can read a \
      command line. The fixture has placeholders for tokens and secrets, but the real names and addresses of people: \
      review it. If the vendor does not answer, nothing is written.

      A code for --credential authorizationCode.code=@FILE comes from a browser: in the console, \
      auth.authorize("ID", { redirectURI = "https://app.example/back" }) prints the address to open. Remove \
      code_challenge, code_challenge_method and nonce from it first, because the console does not show the values \
      that belong to them. If the vendor requires them, use your own, and give codeVerifier and nonce. The last \
      address in the browser has code=…, which works once and for some minutes. Give the same redirect URI as \
      authorizationCode.redirectURI.

      --setting servers=HOST=URL,HOST=URL replaces the vendor's hosts by other servers: for authgraph idp --script \
      FILE, give --setting servers=vendor.example=http://127.0.0.1:8400 and --setting privateHosts=127.0.0.1:8400. \
      The fixture still has the vendor's addresses.
      """)

  @Option(
    name: .customLong("setting"),
    help: ArgumentHelp(
      "A setting of the provider, such as clientID=my-app or clientSecret=env:SECRET.",
      discussion: "Commas separate the elements of a list and the pairs of servers.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("credential"),
    help: ArgumentHelp(
      "A field of the credential, such as accessToken.accessToken=@token.txt.",
      valueName: "builder.field=value"))
  var credential: [String] = []

  @OptionGroup var authority: AuthorityOptions

  @Option(name: .customLong("name"), help: "The name of the scenario.")
  var scenario = "recorded"

  @Argument(help: "The plug-in.", completion: .file(extensions: ["lua"]))
  var file: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let source = try PluginSource(path: file)
      guard !source.isBundled else {
        throw AuthError(
          .invalidArgument, "\(file) is a bundle, to whose fixture nothing can be added.",
          field: "file", remedy: "Name the plug-in's Lua file, and pack it again.")
      }
      let recording = try PluginRecording(
        source, settings: settings, credential: credential, scenario: scenario,
        transport: try authority.transport())
      let result = try waiting { try await recording.signIn() }
      let path = try recording.keep(result)
      switch result {
      case .success(let identity):
        let subject = identity.key?.subject ?? "An identity without a subject"
        try StandardStreams.print(
          line: "\(subject) is signed in; \"\(scenario)\" is in \(path).")
      case .failure(let error):
        try StandardStreams.print(
          line: "It was refused, and \"\(scenario)\" in \(path) says so: \(error)")
      }
      try replay()
    }
  }

  /// Tests the new scenario at once, because some vendors' answers cannot be replayed without the real secrets.
  private func replay() throws {
    let (file, scenario) = (file, scenario)
    let report = try waiting { await PluginTest(filter: scenario).run(file: file) }
    let own = report.cases.first { $0.group == .scenario && $0.scenario == scenario }
    if let failure = own?.failure ?? report.obstacle {
      StandardStreams.warn(
        "It does not replay yet: \(failure.sentence) Values made of a secret differ with another secret; "
          + "describe what the vendor signs with payload and hmac in the fixture.")
      throw ExitCode.failure
    }
  }
}

/// A sign-in that is recorded.
private struct PluginRecording: Sendable {
  private let source: PluginSource
  private let declaration: PluginDeclaration
  private let scenario: String
  private let values: [String: JSONValue]
  private let builder: CredentialBuilder
  private let fields: [String: String]
  private let recorder: PluginRecorder
  private let transport: HTTPClientTransport

  init(
    _ source: PluginSource, settings: [String], credential: [String], scenario: String,
    transport: HTTPClientTransport
  ) throws {
    self.source = source
    self.transport = transport
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

  /// Returns the result of the sign-in; throws an error that ended it before the vendor decided.
  func signIn() async throws -> Result<VerifiedIdentity, AuthError> {
    let provider = try LuaPlugin.provider(source, host: recorder.host)
    let secretNames = declaration.settings.filter { $0.type == .secret }.map(\.name)
    let settings = ProviderSettings(
      declaration.id, values.filter { !secretNames.contains($0.key) },
      secrets: values.filter { secretNames.contains($0.key) }.compactMapValues(\.stringValue))
    let context = VerificationContext(
      scope: Scope(project: "recording"), purpose: .signIn, now: .now(), settings: settings)
    let result: Result<VerifiedIdentity, AuthError>
    do {
      try provider.check(settings)
      let credential = try builder.credential(for: declaration.id, fields)
      result = .success(try await provider.verify(credential, context))
    } catch let error as AuthError {
      guard error.code != .invalidArgument, error.code != .operationNotAllowed else { throw error }
      if error.code == .pluginFailed { throw Self.fault(error) }
      result = .failure(error)
    }
    try await transport.shutdown()
    if let failure = recorder.transportFailure { throw Self.unheard(failure) }
    return result
  }

  /// The mistake itself, which only the plug-in's author may see.
  private static func fault(_ error: AuthError) -> AuthError {
    let mistake = (error.cause as? AuthError)?.message ?? error.message
    return AuthError(
      .pluginFailed, "The plug-in made a mistake, and nothing was kept: \(mistake.sentence)",
      remedy: "Correct it, and record again with a new credential.")
  }

  private static func unheard(_ failure: any Error) -> any Error {
    guard var error = failure as? AuthError else { return failure }
    error.message = "The vendor did not answer, so nothing was recorded: \(error.message)"
    return error
  }

  /// Adds the scenario to the fixture, which is made if there is none; returns the fixture's path.
  func keep(_ result: Result<VerifiedIdentity, AuthError>) throws -> String {
    guard let path = source.fixturePath else { return "" }
    let name = URL(filePath: path).lastPathComponent
    let second = Timestamp.now().milliseconds / 1000
    let settings = recorder.fixtureSettings
    var fixture =
      FileManager.default.fileExists(atPath: path)
      ? try Fixture(of: source)
      : Fixture(name: name, now: Timestamp(milliseconds: second * 1000), settings: settings)
    guard !fixture.scenarios.contains(where: { $0.name == scenario }) else {
      throw AuthError(
        .invalidArgument, "\(name) has a scenario \"\(scenario)\" already.", field: "name",
        remedy: "Give this one another name with --name.")
    }
    var recorded = recorder.scenario(named: scenario, result)
    recorded.settings = settings.filter { fixture.settings[$0.key] != $0.value }
    fixture.scenarios.append(recorded)
    if let leak = recorder.leak(in: fixture) {
      var ending = ""
      if case .failure(let error) = result { ending = " The sign-in ended with \(error)" }
      throw AuthError(
        .invalidArgument, "A secret would be in \(name), so nothing was kept: \(leak).\(ending)",
        field: "fixture",
        remedy: "Remove it from the fixture, or write the scenario by hand.")
    }
    try Data(fixture.text.utf8).write(to: URL(filePath: path), options: .atomic)
    return path
  }
}

extension String {
  /// The text with exactly one full stop or other mark at its end.
  fileprivate var sentence: String {
    guard let last else { return self }
    return ".?!".contains(last) ? self : self + "."
  }
}
