/// A version of a scope's merge policy: an entry of its history, which never changes.
public struct PolicyVersion: Sendable, Hashable, Codable, Identifiable {
  /// The number in the scope's history, from 1, with the digest of the text.
  public let id: PolicyVersionID
  /// The name and the text of the file.
  public let source: PolicySource
  /// The time at which it was first put to use.
  public let at: Timestamp
  /// The admin who put it to use.
  public let actor: String
  /// The admin's reason.
  public let reason: String?
  /// The ID of the audit event that records the change.
  public let event: String
  /// The way in which it was first put to use.
  public let use: PolicyUse
  /// The version that a rollback went back to; nil for a new text.
  public let goesBackTo: Int?
  /// The results of the checks before its use; nil if there were none.
  public let evidence: PolicyEvidence?

  /// The number in the scope's history, from 1.
  public var number: Int { id.number ?? 0 }
}

/// The results of the checks of a policy before its use.
public struct PolicyEvidence: Sendable, Hashable, Codable {
  /// The number of examples that passed.
  public var examplesPassed: Int
  /// The number of examples that failed; a forced version has some.
  public var examplesFailed: Int
  /// The share of lines and branches that the examples reach, from 0 to 1; nil if it was not measured.
  public var coverage: Double?

  /// Makes evidence.
  public init(examplesPassed: Int = 0, examplesFailed: Int = 0, coverage: Double? = nil) {
    self.examplesPassed = examplesPassed
    self.examplesFailed = examplesFailed
    self.coverage = coverage
  }
}

extension PolicyVersionID: FieldRecord {
  package static var blank: PolicyVersionID { PolicyVersionID(number: nil, digest: "") }
  package static let fields: FieldList<PolicyVersionID> = [
    Field("digest", \.digest), Field("number", \.number),
  ]

  /// The number of hexadecimal digits of the digest that people and events see.
  private static let shownDigits = 12

  /// The first digits of the digest.
  public var shortDigest: String { String(digest.prefix(Self.shownDigits)) }

  /// The number, or the first digits of the digest for a file that is not in the history.
  public var label: String { number.map(String.init) ?? shortDigest }

  /// The whole version as text, such as in a file: the number if there is one, and the digest.
  public var text: String { (number.map { "\($0) " } ?? "") + digest }

  /// Reads a version from its ``text``; nil for any other text.
  public init?(text: String) {
    guard let match = text.wholeMatch(of: /(?:([1-9][0-9]{0,8}) )?([0-9a-f]{64})/) else {
      return nil
    }
    self.init(number: match.output.1.flatMap { Int($0) }, digest: String(match.output.2))
  }

  /// The form in an event: `number`, and the first digits of the `digest`.
  public var detail: JSONValue {
    var detail: [String: JSONValue] = ["digest": .string(shortDigest)]
    detail["number"] = number.map { .integer(Int64($0)) }
    return .object(detail)
  }
}
