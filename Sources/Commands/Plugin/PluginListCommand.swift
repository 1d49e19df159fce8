import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import PluginKit

/// `authgraph plugin list`: lists the plug-ins of folders.
struct PluginListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the plug-ins of folders, and the files that do not load.",
    discussion: """
      The answers are those of the fixture: the number of scenarios that were recorded at the vendor, written from its \
      documentation or taken from another implementation, and the newest date.

      Two files with the same ID are reported, and make the exit status 1.
      """)

  @Flag(help: "Answer in JSON.") var json = false

  @Argument(help: "Folders or files; by default Plugins.", completion: .directory)
  var folders: [String] = ["Plugins"]

  func run() throws {
    try reportingErrors(asJSON: json) {
      let files = try PluginFiles.all(in: folders)
      let problems = folders.flatMap(LockProblem.all)
      let entries = files.map { file in
        PluginEntry(file, problems.first { $0.file == file }?.error)
      }
      if json {
        try StandardStreams.print(JSONValue.array(entries.map(\.json)))
      } else {
        try show(entries)
      }
      let twins = Self.twins(among: entries)
      for twin in twins where !json { StandardStreams.warn(twin) }
      let gone = problems.filter { !files.contains($0.file) }
      for problem in gone where !json { StandardStreams.warn("\(problem.error)") }
      if !twins.isEmpty || !problems.isEmpty { throw ExitCode.failure }
    }
  }

  private func show(_ entries: [PluginEntry]) throws {
    var table = TextTable(columns: [
      TextTable.Column("id", keepsWhole: true), "name", "kind",
      TextTable.Column("release", keepsWhole: true), TextTable.Column("version", keepsWhole: true),
      TextTable.Column("answers", keepsWhole: true), "file",
    ])
    for entry in entries { table.append(entry.cells.map { Cell($0) }) }
    try StandardStreams.print(table)
    for entry in entries {
      if let error = entry.error { StandardStreams.warn("\(error)") }
    }
  }

  /// Returns notices about files that declare the same ID, of which only one can be loaded.
  private static func twins(among entries: [PluginEntry]) -> [String] {
    let ids = entries.compactMap { $0.provider?.declaration.id.rawValue }
    return Set(ids.filter { id in ids.count { $0 == id } > 1 }).sorted().map { id in
      let files = entries.filter { $0.provider?.declaration.id.rawValue == id }.map(\.file)
      return "\(id) is the ID of \(files.joined(separator: " and ")). Give each plug-in its own."
    }
  }
}

/// One file of a list.
private struct PluginEntry {
  let file: String
  let provider: (any LuaProvider)?
  let error: AuthError?
  let fixture: Fixture?

  init(_ file: String, _ problem: AuthError?) {
    self.file = file
    do throws(AuthError) {
      if let problem { throw problem }
      let source = try PluginSource(path: file)
      provider = try LuaPlugin.provider(source, host: PluginHost(transport: NoNetwork()))
      fixture = try? Fixture(of: source)
      error = nil
    } catch {
      provider = nil
      fixture = nil
      self.error = error
    }
  }

  var cells: [String] {
    guard let provider else { return ["", "does not load", "", "", "", "", file] }
    let declaration = provider.declaration
    return [
      declaration.id.rawValue, declaration.name, declaration.kind.rawValue,
      declaration.metadata.version?.description ?? "", provider.source.version, answers, file,
    ]
  }

  /// The origins of the fixture's answers, such as `2 recorded, 7 documentation (2026-11)`.
  private var answers: String {
    guard let fixture else { return "no fixture" }
    let kinds = Fixture.Source.Kind.allCases.compactMap { kind in
      fixture.sourceKinds[kind].map { "\($0) \(kind.rawValue)" }
    }
    guard !kinds.isEmpty else { return "no source" }
    return kinds.joined(separator: ", ") + (fixture.newestSourceDate.map { " (\($0))" } ?? "")
  }

  private var sources: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: (fixture?.sourceKinds ?? [:]).map {
          ($0.key.rawValue, .integer(Int64($0.value)))
        }))
  }

  var json: JSONValue {
    guard let provider else {
      return ["file": .string(file), "error": .string(error?.message ?? "")]
    }
    let declaration = provider.declaration
    let metadata = declaration.metadata.texts.map { ($0.name, JSONValue.string($0.text)) }
    let entry: [String: JSONValue] = [
      "file": .string(file), "id": .string(declaration.id.rawValue),
      "name": .string(declaration.name), "kind": .string(declaration.kind.rawValue),
      "credentials": .array(declaration.builders.map { .string($0.name) }),
      "hosts": .array(declaration.hosts.map { .string($0) }),
      "version": .string(provider.source.version),
      "scenarios": .integer(Int64(fixture?.scenarios.count ?? 0)), "sources": sources,
      "newestSource": .optional(fixture?.newestSourceDate),
    ]
    return .object(entry.merging(metadata) { own, _ in own })
  }
}
