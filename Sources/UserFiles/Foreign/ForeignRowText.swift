import AuthCore
import Foundation

/// Reads the bytes of one row of another system's file.
enum ForeignRowText {
  /// Reads a JSON object.
  ///
  /// Duplicate names are refused, because another reader might take the other value.
  static func object(_ json: Data) -> Result<JSONValue, AuthError> {
    guard json.count <= ForeignFileReader.maximumRowBytes else {
      return refused("has more than \(ForeignFileReader.maximumRowBytes) bytes")
    }
    guard let value = try? JSONValue(strict: Array(json)) else {
      return refused("is not valid JSON with each name once")
    }
    guard case .object = value else { return refused("is not an object") }
    return .success(value)
  }

  /// Makes an object of a row's values, without empty ones.
  static func object(_ values: [String], _ columns: [String]) -> Result<JSONValue, AuthError> {
    guard values.count == columns.count else {
      return refused("has \(values.count) columns and not \(columns.count)")
    }
    let members = zip(columns, values).filter { !$0.1.isEmpty }
    return .success(
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0.0, .string($0.1)) })))
  }

  static func values(
    _ bytes: inout ByteStream
  ) throws(CommaSeparatedRows.Fault) -> CommaSeparatedRows.Row? {
    try CommaSeparatedRows.next(from: &bytes, atMost: ForeignFileReader.maximumRowBytes)
  }

  private static func refused(_ problem: String) -> Result<JSONValue, AuthError> {
    .failure(
      AuthError(
        .invalidArgument, "The row \(problem).", field: "file",
        remedy: "Correct the row and import the file again."))
  }
}
