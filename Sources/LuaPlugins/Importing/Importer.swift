public import AuthCore
import LuaRuntime

/// A file that translates another system's users to records of an import.
///
/// ```lua
/// return importer {
///   id = "example", name = "Example", reads = "ndjson",
///   providers = { google = "google.com" },
///   user = function(row, beside, options)
///     return { uid = row.id, email = row.mail, emailVerified = row.verified == true }
///   end,
/// }
/// ```
///
/// It runs in the sandbox of policies. Each row runs the whole file again, so that no row can change the next one. An
/// importer is confined to its holder.
public final class Importer {
  /// The limits of one row.
  private static let limits = LuaLimits(
    instructions: 2_000_000, cpuTime: .milliseconds(200), memory: 32 << 20)

  /// The declaration in the file.
  public let declaration: ImporterDeclaration
  private let name: String
  private let state: LuaState
  private let chunk: LuaFunction
  private let declared: Declared
  private var mapping: ImportedProviders
  private var options: [String: String] = [:]

  /// The table that the running file has declared.
  private final class Declared {
    var table: LuaReference?
    var declaration: ImporterDeclaration?
  }

  /// Compiles a file and reads its declaration; throws `invalid-plugin` with the line.
  ///
  /// `now` is the time that the file sees, and `log` takes the lines that it logs.
  public init(
    _ source: PluginSource, at now: Timestamp = .now(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(AuthError) {
    name = source.name
    let declared = Declared()
    self.declared = declared
    do throws(LuaError) {
      state = try LuaState(
        profile: .policy,
        configuration: LuaConfiguration(
          limits: Self.limits,
          log: { log("\($0.script ?? source.name) \($0.level.rawValue): \($0.message)") },
          clock: { now.milliseconds }))
      let environment = state.makeEnvironment(sealed: true)
      try ImporterLibrary.install(in: state, environment) { table, call in
        if declared.declaration == nil { declared.declaration = try ImporterDeclaration(call) }
        declared.table = table
      }
      chunk = try state.load(source.text, name: source.name, environment: environment)
      try state.call(chunk, results: .references)
    } catch {
      throw .invalidImporter(source, error)
    }
    guard let declaration = declared.declaration else {
      throw .invalidPlugin(
        source, "the file declares no importer",
        remedy: "End it with return importer { id = …, name = …, reads = …, user = … }.")
    }
    declared.table = nil
    self.declaration = declaration
    mapping = ImportedProviders(declared: declaration.providers)
  }

  /// Reads an importer's file; throws `invalid-plugin` if it is not usable.
  public convenience init(
    path: String, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(AuthError) {
    try self.init(try PluginSource(path: path), log: log)
  }

  /// The names of the old system's providers whose identities were left out, with their numbers.
  public var leftOut: [String: Int] { mapping.leftOut }

  /// Sets options of the file and counterparts of providers; throws `invalid-argument` for an unknown option.
  ///
  /// The counterpart `-` leaves the identities of a provider out.
  public func set(options given: [String: String], providers: [String: String]) throws(AuthError) {
    let known = declaration.options.map(\.name)
    if let unknown = given.keys.sorted().first(where: { !known.contains($0) }) {
      throw AuthError(
        .invalidArgument, "The importer \(declaration.id) has no option \"\(unknown)\".",
        field: "option", remedy: suggestion(for: unknown, among: known))
    }
    options = given
    mapping.chosen = providers
  }

  /// Returns the key of a user's row, by which the rows of files beside are found; throws `invalid-argument`.
  public func key(of row: JSONValue) throws(AuthError) -> String {
    try key("", row)
  }

  /// Returns the key of a row of a file beside; throws `invalid-argument`.
  public func key(of row: JSONValue, in file: String) throws(AuthError) -> String {
    try key(file, row)
  }

  private func key(_ file: String, _ row: JSONValue) throws(AuthError) -> String {
    let result = try call("key", of: file, [row.luaWithoutNulls])
    switch result {
    case .string(let text) where !text.isEmpty: return text
    case .integer(let number): return String(number)
    default:
      throw .refusedRow(
        "The row has no key.", field: "key", remedy: "Have the importer's key return a text.")
    }
  }

  /// Returns the record of a user in the form of `auth:export`; throws the reason of a refusal.
  public func record(
    of row: JSONValue, beside: [String: [JSONValue]] = [:]
  ) throws(AuthError) -> JSONValue {
    let tables = LuaTable(
      fields: beside.mapValues { .table(LuaTable(array: $0.map(\.luaWithoutNulls))) })
    var chosen = LuaTable()
    for option in declaration.options {
      chosen[option.name] = .optional(options[option.name] ?? option.fallback)
    }
    let result = try call(
      "user", of: "", [row.luaWithoutNulls, .table(tables), .table(chosen)])
    if let reason = ImporterLibrary.refusal(result) {
      throw .refusedRow("\(reason)", field: nil, remedy: "Correct the row, or leave it out.")
    }
    guard case .object(let user)? = JSONValue(result) else {
      throw .refusedRow(
        "The importer returned \(result.typeName), not a user.", field: "user",
        remedy: "Have it return { uid = …, … }, or refuse \"why\".")
    }
    return try ImportedUser(user).record(&mapping)
  }

  /// Runs the file, and calls a function that it declares this time.
  private func call(
    _ function: String, of file: String, _ arguments: [LuaValue]
  ) throws(AuthError) -> LuaValue {
    do throws(LuaError) {
      defer { declared.table = nil }
      state.seedRandom(0)
      try state.call(chunk, results: .references)
      var table = declared.table
      if !file.isEmpty {
        table = table.flatMap { state.field("beside", of: $0).referenceValue }
          .flatMap { state.field(file, of: $0).referenceValue }
      }
      guard let table, let body = state.field(function, of: table).functionValue else {
        throw LuaError(.conversion, "this run of the file declares no \(function)")
      }
      return try state.call(body, arguments).first ?? .nil
    } catch {
      let place = error.line.map { "\(name):\($0)" } ?? name
      throw .refusedRow(
        "\(place): \(error.message)", field: nil,
        remedy: "Correct the importer, and import the file again.", cause: error)
    }
  }
}

extension AuthError {
  /// The refusal of a row, in one sentence.
  static func refusedRow(
    _ message: String, field: String?, remedy: String, cause: (any Error)? = nil
  ) -> AuthError {
    let text = TextBounds(bytes: 400).cut(message)
    return AuthError(
      .invalidArgument, ".?!".contains(text.last ?? " ") ? text : text + ".", field: field,
      remedy: remedy, cause: cause)
  }
}
