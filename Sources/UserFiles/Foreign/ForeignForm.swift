public import AuthCore

/// The form of another system's file.
public struct ForeignForm: Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: String, CaseIterable, Sendable {
    /// One JSON object on each line.
    case ndjson
    /// A JSON list, an object with one, or several of either behind each other.
    case json
    /// Comma-separated values whose first row has the names.
    case csv
  }

  /// The kind of the file.
  public let kind: Kind
  /// The name of the list in a JSON object; nil if objects at the top are rows themselves.
  public let list: String?

  /// Makes a form.
  public init(_ kind: Kind, list: String? = nil) {
    self.kind = kind
    self.list = list
  }

  /// Chooses among the possible kinds by the file's extension; the first one if that decides nothing.
  public static func kind(of path: String, among kinds: [Kind]) -> Kind? {
    let name = path.lowercased()
    let named: Kind? =
      if name.hasSuffix(".csv") {
        .csv
      } else if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") {
        .ndjson
      } else if name.hasSuffix(".json") {
        .json
      } else {
        nil
      }
    return named.flatMap { kinds.contains($0) ? $0 : nil } ?? kinds.first
  }
}

/// One row of another system's file.
public struct ForeignRow: Sendable {
  /// The row as an object, or the reason why it cannot be read; the rows after it can.
  public let value: Result<JSONValue, AuthError>
  /// The line on which it begins, counted from 1.
  public let line: Int
  /// The bytes of the row in the file.
  let place: Range<Int>

  /// The number of bytes of the file that were read up to the row's end.
  public var endOffset: Int { place.upperBound }
}

extension AuthError {
  static func foreign(_ message: String, at line: Int? = nil) -> AuthError {
    AuthError(
      .invalidArgument, line.map { "line \($0): \(message)" } ?? message, field: "file",
      remedy: "Export it again, in the form that the importer reads.")
  }
}
