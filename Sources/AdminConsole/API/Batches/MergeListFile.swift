import AuthCore
import Foundation

/// The columns of a list of merges, in its files and as data of a script.
enum MergeListColumn: String, CaseIterable {
  case decision, keep, absorb, key, reason
  case keepEmail, absorbEmail, keepVerified, absorbVerified
  case keepCreated, absorbCreated, keepLastSignIn, absorbLastSignIn
  case keepProviders, absorbProviders, rules, decidedBy, policyVersion
  case keepRevision, absorbRevision, batch, project

  static let names = allCases.map(\.rawValue)
  /// The columns without which a file cannot be read.
  static let required: [MergeListColumn] = [.decision, .keep, .absorb]
}

/// The values of one proposal by column; a missing one is empty.
struct MergeListRow {
  private(set) var values: [MergeListColumn: JSONValue] = [:]

  init(_ proposal: MergeProposal, batch: String, scope: Scope) {
    let pair = proposal.pair
    values = [
      .decision: .string(proposal.decision.rawValue), .keep: .string(pair.keep.rawValue),
      .absorb: .string(pair.absorb.rawValue), .reason: .string(proposal.reason),
      .decidedBy: .string(pair.decidedBy), .batch: .string(batch),
      .project: .string(scope.description),
    ]
    values[.key] = proposal.key.map { .string($0.description) }
    values[.policyVersion] = pair.policyVersion.map { .string($0.text) }
    if pair.rules != MergeRules() { values[.rules] = pair.rules.json }
    values[.keepRevision] = pair.keepState.map { .string($0.description) }
    values[.absorbRevision] = pair.absorbState.map { .string($0.description) }
    if let account = proposal.survivor {
      values[.keepEmail] = account.email.map { .string($0.text) }
      values[.keepVerified] = proposal.key.map { .bool($0.isVerified(by: account)) }
      values[.keepCreated] = .string(account.createdAt.text)
      values[.keepLastSignIn] = account.lastSignInAt.map { .string($0.text) }
      values[.keepProviders] = .string(account.providerText)
    }
    if let account = proposal.absorbed {
      values[.absorbEmail] = account.email.map { .string($0.text) }
      values[.absorbVerified] = proposal.key.map { .bool($0.isVerified(by: account)) }
      values[.absorbCreated] = .string(account.createdAt.text)
      values[.absorbLastSignIn] = account.lastSignInAt.map { .string($0.text) }
      values[.absorbProviders] = .string(account.providerText)
    }
  }

  func text(_ column: MergeListColumn) -> String {
    switch values[column] {
    case nil, .null: ""
    case .string(let text): text
    case .bool(let flag): flag ? "yes" : "no"
    case .some(let value): value.text
    }
  }
}

extension Account {
  fileprivate var providerText: String {
    identities.map(\.provider.rawValue).joined(separator: ", ")
  }
}

/// The form of a file of merges, which its name tells.
enum MergeListFormat {
  case csv, json

  init(path: String) throws(AuthError) {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "csv": self = .csv
    case "json": self = .json
    default:
      throw AuthError(
        .invalidArgument, "The file \(path) is neither .csv nor .json.", field: "path",
        remedy: "Name a file that ends in .csv or .json.")
    }
  }

  /// Returns the file of a list: one line for each pair.
  func bytes(_ rows: [MergeListRow]) -> [UInt8] {
    switch self {
    case .csv:
      let cells = rows.map { row in MergeListColumn.allCases.map(row.text) }
      return Array(
        CSVText(names: MergeListColumn.names, rows: cells, guarding: .everything).text.utf8)
    case .json:
      let lines = rows.map { row in
        let members = row.values.map { ($0.rawValue, $1) }
        return JSONValue.object(Dictionary(uniqueKeysWithValues: members)).text
      }
      return Array(("[\n" + lines.joined(separator: ",\n") + "\n]\n").utf8)
    }
  }
}

/// Reads a file of merges, and names the place of each fault.
struct MergeListReader {
  /// A pair of the file.
  typealias Line = (pair: MergePair, decision: MergeProposal.Decision, reason: String)

  /// One row: its place, and its cells by column name.
  private struct Entry {
    let place: String
    let cells: [String: String]

    subscript(_ column: MergeListColumn) -> String { cells[column.rawValue] ?? "" }

    func wrong(_ column: MergeListColumn, _ fault: String, _ remedy: String) -> AuthError {
      AuthError(
        .invalidArgument, "\(place), column \(column.rawValue): \(fault).", field: "path",
        remedy: remedy)
    }
  }

  let path: String
  let scope: Scope
  private(set) var lines: [Line] = []
  /// The batch of the list; nil if the file names none.
  private(set) var batch: String?
  /// The places of the pairs that absorb each account.
  private var absorbed: [AccountID: String] = [:]

  private var name: String { URL(filePath: path).lastPathComponent }

  init(path: String, of host: any ConsoleHost, scope: Scope) throws {
    self.path = path
    self.scope = scope
    let format = try MergeListFormat(path: path)
    let bytes = try host.list(in: path, named: "file \(path)", field: "path")
    let entries = try format == .csv ? csv(bytes) : json(bytes)
    for entry in entries { try add(entry) }
  }

  private func csv(_ bytes: [UInt8]) throws(AuthError) -> [Entry] {
    var reader = CSVReader(name: name, bytes: bytes, .spreadsheet) { message in
      AuthError(
        .invalidArgument, message, field: "path",
        remedy: "Save it as CSV in UTF-8, with one pair on each line.")
    }
    let rows = try reader.rows()
    guard let head = rows.first else { throw empty }
    for column in MergeListColumn.required where !head.cells.contains(column.rawValue) {
      throw AuthError(
        .invalidArgument, "\(name) has no column \(column.rawValue).", field: "path",
        remedy: "Keep the first line as mergeList:save writes it.")
    }
    if let twice = head.cells.first(where: { name in
      !name.isEmpty && head.cells.count { $0 == name } > 1
    }) {
      throw AuthError(
        .invalidArgument, "\(name) has the column \(twice) twice.", field: "path",
        remedy: "Keep the one that is right.")
    }
    var entries: [Entry] = []
    for row in rows.dropFirst() {
      guard row.cells.count == head.cells.count else {
        throw AuthError(
          .invalidArgument,
          "\(name), line \(row.line): \(row.cells.count) columns instead of \(head.cells.count).",
          field: "path", remedy: "Strike whole lines, and quote cells that have a comma.")
      }
      let cells = zip(head.cells, row.cells)
      entries.append(
        Entry(
          place: "\(name), line \(row.line)",
          cells: Dictionary(cells, uniquingKeysWith: { first, _ in first })))
    }
    return entries
  }

  private func json(_ bytes: [UInt8]) throws(AuthError) -> [Entry] {
    guard let text = String(validating: bytes, as: UTF8.self),
      case .array(let values)? = try? JSONValue(text: text)
    else {
      throw AuthError(
        .invalidArgument, "\(name) is not a JSON list.", field: "path",
        remedy: "Write it like a list that mergeList:save wrote.")
    }
    var entries: [Entry] = []
    for (index, value) in values.enumerated() {
      let place = "\(name), entry \(index + 1)"
      guard case .object(let members) = value else {
        throw AuthError(
          .invalidArgument, "\(place): it is not an object.", field: "path",
          remedy: "Strike whole entries.")
      }
      entries.append(Entry(place: place, cells: members.mapValues(Self.cell)))
    }
    return entries
  }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .bool(let flag): flag ? "yes" : "no"
    default: value.text
    }
  }

  private var empty: AuthError {
    AuthError(
      .invalidArgument, "\(name) is empty.", field: "path",
      remedy: "Save the list again with mergeList:save.")
  }

  private mutating func add(_ entry: Entry) throws(AuthError) {
    guard let decision = MergeProposal.Decision(rawValue: entry[.decision]) else {
      throw entry.wrong(
        .decision, "there is no decision \"\(entry[.decision])\"",
        suggestion(for: entry[.decision], among: ["merge", "look", "leave"]))
    }
    for column in [MergeListColumn.keep, .absorb] where entry[column].isEmpty {
      throw entry.wrong(column, "the uid is missing", "Write it, or strike the line.")
    }
    let (keep, absorb) = (AccountID(entry[.keep]), AccountID(entry[.absorb]))
    guard keep != absorb else {
      throw entry.wrong(.absorb, "it is the account to keep", "Name another account.")
    }
    if !entry[.project].isEmpty, entry[.project] != scope.description {
      throw entry.wrong(
        .project, "the list is of \(entry[.project]), and this console of \(scope)",
        "Open the console on that project or tenant.")
    }
    try take(batchOf: entry)
    if decision == .merge || decision == .done || decision == .changed {
      for (column, id) in [(MergeListColumn.keep, keep), (.absorb, absorb)] {
        guard let earlier = absorbed[id] else { continue }
        throw entry.wrong(
          column, "\(id) is absorbed in \(earlier)",
          "Name the account that survives there, or strike one of the two.")
      }
      absorbed[absorb] = entry.place
    }
    var pair = MergePair(
      keep: keep, absorb: absorb, rules: try rules(entry),
      decidedBy: entry[.decidedBy].isEmpty ? "admin" : entry[.decidedBy],
      keepState: try state(entry, .keepRevision), absorbState: try state(entry, .absorbRevision))
    if !entry[.policyVersion].isEmpty {
      guard let version = PolicyVersionID(text: entry[.policyVersion]) else {
        throw entry.wrong(
          .policyVersion, "it is no version of a policy", "Leave the column as it was saved.")
      }
      pair.policyVersion = version
    }
    lines.append((pair, decision, entry[.reason]))
  }

  private mutating func take(batchOf entry: Entry) throws(AuthError) {
    let id = entry[.batch]
    guard !id.isEmpty, id != batch else { return }
    do {
      try MergeBatch.check(id)
    } catch {
      throw entry.wrong(.batch, "\"\(id)\" is no batch's ID", "Leave the column as it was saved.")
    }
    guard let first = batch else {
      batch = id
      return
    }
    throw entry.wrong(
      .batch, "it is \(id), and before it was \(first)",
      "Load each list by itself, or empty the column for a new batch.")
  }

  private func rules(_ entry: Entry) throws(AuthError) -> MergeRules {
    guard !entry[.rules].isEmpty else { return MergeRules() }
    guard let json = try? JSONValue(text: entry[.rules]) else {
      throw entry.wrong(
        .rules, "it is not JSON", "Write {\"fields\":{\"displayName\":\"newest\"}}, or empty it.")
    }
    do {
      return try MergeRules(json: json)
    } catch {
      throw entry.wrong(.rules, Self.sentence(error.message), error.remedy ?? "Empty the cell.")
    }
  }

  private func state(
    _ entry: Entry, _ column: MergeListColumn
  ) throws(AuthError) -> AccountState? {
    guard !entry[column].isEmpty else { return nil }
    guard let state = AccountState(entry[column]) else {
      throw entry.wrong(
        column, "\"\(entry[column])\" is no revision",
        "Leave it as it was saved, or empty it to accept the account as it is.")
    }
    return state
  }

  private static func sentence(_ message: String) -> String {
    message.hasSuffix(".") ? String(message.dropLast()) : message
  }
}
