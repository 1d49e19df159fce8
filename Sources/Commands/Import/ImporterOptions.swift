import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import UserFiles

/// The options that choose an importer of another system's files.
struct ImporterOptions: ParsableArguments {
  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("An importer: a Lua file, such as Importers/auth0.lua.", valueName: "lua"))
  var importer: String?
  @Option(
    help: ArgumentHelp("The file of password hashes beside that of the users.", valueName: "file"))
  var hashes: String?
  @Option(
    help: ArgumentHelp(
      "A further file that the importer reads, by its name.", valueName: "name=file"))
  var beside: [String] = []
  @Option(
    help: ArgumentHelp(
      "The provider here for one of the old system; - leaves its identities out.",
      valueName: "name=id"))
  var provider: [String] = []
  @Option(help: ArgumentHelp("An option of the importer.", valueName: "name=value"))
  var option: [String] = []

  func check() throws {
    guard importer == nil else { return }
    guard hashes == nil, beside.isEmpty, provider.isEmpty, option.isEmpty else {
      throw ValidationError("--hashes, --beside, --provider and --option need --with.")
    }
  }

  /// Returns the chosen importer, or nil if none is chosen; throws `invalid-plugin` or `invalid-argument`.
  func choice() throws -> ImporterChoice? {
    guard let importer else { return nil }
    var files = try Self.pairs(beside, "beside")
    if let hashes { files["hashes"] = hashes }
    return try ImporterChoice(
      source: PluginSource(path: importer), beside: files,
      providers: Self.pairs(provider, "provider"), options: Self.pairs(option, "option"))
  }

  /// Throws `invalid-provider-id` for a counterpart that is no provider here, before a record is read.
  func checkProviders(among registry: ProviderRegistry) throws(AuthError) {
    for id in try Self.pairs(provider, "provider").values.sorted()
    where id != "-" && registry[ProviderID(id)] == nil {
      let near = nearestName(to: id, among: registry.ids.map(\.rawValue))
      throw AuthError(
        .invalidProviderID, "There is no provider \"\(id)\".", field: "provider",
        remedy: (near.map { "Did you mean \"\($0)\"? Or load" } ?? "Load")
          + " its plug-in with --plugins FOLDER.")
    }
  }

  private static func pairs(
    _ texts: [String], _ name: String
  ) throws(AuthError) -> [String: String] {
    var pairs: [String: String] = [:]
    for text in texts {
      guard let mark = text.firstIndex(of: "="), mark != text.startIndex,
        pairs.updateValue(
          String(text[text.index(after: mark)...]), forKey: String(text[..<mark])) == nil
      else {
        throw AuthError(
          .invalidArgument, "--\(name) \(text) is no name with a value, or repeats one.",
          field: name, remedy: "Write --\(name) NAME=VALUE, once for each name.")
      }
    }
    return pairs
  }
}

/// An importer with its files and options.
struct ImporterChoice: Sendable {
  let source: PluginSource
  let beside: [String: String]
  let providers: [String: String]
  let options: [String: String]

  /// A text that changes if the records could change.
  var version: String {
    let texts = [beside, providers, options].map { pairs in
      pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
    return ([source.version] + texts).joined(separator: ":")
  }

  /// Opens a file of users, and reads the keys of the files beside it.
  func reader(_ file: String) throws(AuthError) -> ForeignUserReader {
    let importer = try Importer(source) { StandardStreams.warn($0) }
    try importer.set(options: options, providers: providers)
    let known = importer.declaration.beside
    var indexes: [String: ForeignFileIndex] = [:]
    for (name, path) in beside.sorted(by: { $0.key < $1.key }) {
      guard let form = known[name] else {
        throw AuthError(
          .invalidArgument, "The importer \(importer.declaration.id) reads no file \"\(name)\".",
          field: "beside", remedy: suggestion(for: name, among: known.keys.sorted()))
      }
      indexes[name] = try ForeignFileIndex(path: path, form: form.form(of: path)) {
        row throws(AuthError) in try importer.key(of: row, in: name)
      }
    }
    return ForeignUserReader(
      try ForeignFileReader(path: file, form: importer.declaration.users.form(of: file)),
      beside: indexes,
      ForeignUserReader.Translation(
        key: { row throws(AuthError) in try importer.key(of: row) },
        record: { row, beside throws(AuthError) in try importer.record(of: row, beside: beside) },
        leftOut: { importer.leftOut }))
  }
}

extension ImporterDeclaration.File {
  /// The form of a file with this name.
  fileprivate func form(of path: String) -> ForeignForm {
    let kinds = forms.compactMap(ForeignForm.Kind.init(rawValue:))
    return ForeignForm(ForeignForm.kind(of: path, among: kinds) ?? .json, list: list)
  }
}
