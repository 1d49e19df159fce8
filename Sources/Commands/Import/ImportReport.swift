import AuthCore

/// The result of an import.
struct ImportReport: Sendable {
  /// A record that needs attention.
  struct Problem: Sendable {
    let line: Int
    let uid: String?
    /// True if the record was not imported.
    var isRefusal: Bool { code != nil }
    /// The error code of a refusal; nil for a record that was imported and shares its address.
    let code: AuthError.Code?
    let text: String

    /// Describes a problem; long texts from the record are cut.
    init(line: Int, uid: String?, code: AuthError.Code?, text: String) {
      self.line = line
      self.uid = uid
      self.code = code
      self.text = TextBounds.detail.cut(text)
    }
  }

  var imported = 0
  var unchanged = 0
  /// The number of records that an earlier, interrupted run had already processed.
  var skipped = 0
  /// The number of accounts with an authenticator app whose secret is not in the file.
  var withoutSecret = 0
  /// The number of occurrences of each field that other systems write and accounts do not keep.
  var skippedFields: [String: Int] = [:]
  var problems: [Problem] = []
  /// The number of groups of accounts whose addresses differ in case or accents only.
  var similarEmails = 0
  /// The error that stopped the import before its end.
  var failure: AuthError?

  var sawRecords: Bool { imported + unchanged + skipped > 0 || !problems.isEmpty }

  var refused: Int { problems.count(where: \.isRefusal) }

  mutating func note(_ outcome: ImportOutcome, _ record: ImportedAccount) {
    let uid = record.account.id.rawValue
    let isUnshowable = record.account.secondFactors.contains { factor in
      factor.kind == .totp && factor.secret == nil
    }
    if isUnshowable, [.imported, .unchanged].contains(outcome) { withoutSecret += 1 }
    switch outcome {
    case .imported: imported += 1
    case .unchanged: unchanged += 1
    case .sharesEmail(let others):
      imported += 1
      let email = record.account.email?.text ?? ""
      problems.append(
        Problem(
          line: record.line, uid: uid, code: nil,
          text: "\(uid) is imported and shares \(email) with "
            + others.map(\.rawValue).joined(separator: ", ")))
    case .refused(let error):
      problems.append(
        Problem(
          line: record.line, uid: uid, code: error.code, text: "\(uid) is refused: \(error)"))
    }
  }

  /// Resets the report of an import that was rolled back; only refused records remain.
  mutating func forgetImported() {
    self = ImportReport(problems: problems.filter(\.isRefusal))
  }

  /// The problems to show to a person: all if they are few, otherwise the first of each kind.
  var firstProblems: [Problem] {
    guard problems.count > Self.mostShown else { return problems }
    let shared = problems.filter { !$0.isRefusal }.prefix(Self.sharedShown)
    let refused = problems.filter(\.isRefusal).prefix(Self.mostShown)
    return Array(shared + refused)
  }

  private static let mostShown = 20
  private static let sharedShown = 3

  /// One line that counts all problems by kind; nil if all were shown.
  var omission: String? {
    guard firstProblems.count < problems.count else { return nil }
    let codes = Dictionary(grouping: problems.compactMap(\.code), by: \.rawValue)
      .sorted { $0.key < $1.key }.map { "\($0.value.count) refused with \($0.key)" }
    let shared = problems.count - refused
    let kinds = codes + (shared > 0 ? ["\(shared) that share an e-mail address"] : [])
    return "These are the first \(firstProblems.count) of \(problems.count) records: "
      + "\(kinds.joined(separator: ", ")). --verbose shows all, and --report FILE writes them."
  }

  func summary(dryRun: Bool) -> String {
    var parts = ["\(imported) imported"]
    if unchanged > 0 { parts.append("\(unchanged) there already") }
    if skipped > 0 { parts.append("\(skipped) imported before the interruption") }
    parts.append("\(refused) refused")
    let shared = problems.count - refused
    if shared > 0 { parts.append("\(shared) share an e-mail address; duplicates.find lists them") }
    if similarEmails > 0 {
      let groups = similarEmails == 1 ? "1 group" : "\(similarEmails) groups"
      parts.append(
        "\(groups) of addresses that differ in case or accents only; "
          + "duplicates.find { by = \"similarEmail\" } lists them")
    }
    if withoutSecret > 0 {
      parts.append(
        "\(withoutSecret) ask for an authenticator app whose secret is not in the file; "
          + "account.multiFactor:recover lets their people in")
    }
    if !skippedFields.isEmpty {
      let fields = skippedFields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      parts.append("fields that accounts do not keep: \(fields.joined(separator: ", "))")
    }
    return parts.joined(separator: ", ") + (dryRun ? "; nothing was written" : "")
  }

  var json: JSONValue {
    .object([
      "imported": .integer(Int64(imported)), "unchanged": .integer(Int64(unchanged)),
      "skipped": .integer(Int64(skipped)), "refused": .integer(Int64(refused)),
      "withoutSecret": .integer(Int64(withoutSecret)),
      "similarEmails": .integer(Int64(similarEmails)),
      "skippedFields": .object(skippedFields.mapValues { .integer(Int64($0)) }),
      "problems": .array(
        problems.map { problem in
          .object([
            "line": .integer(Int64(problem.line)), "uid": .optional(problem.uid),
            "refused": .bool(problem.isRefusal), "reason": .string(problem.text),
          ])
        }),
    ])
  }
}
