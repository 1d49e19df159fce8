import AuthCore

/// The conditions of a filter on the columns of `events`, other than the accounts.
struct EventCondition {
  private var conditions: [(column: String, rest: String)] = []
  private(set) var values: [SQLValue] = []

  init(_ filter: EventFilter) {
    if let action = filter.action { require("action", "= ?", .text(action.rawValue)) }
    if let actor = filter.actor { require("actor", "= ?", .text(actor)) }
    if let code = filter.errorCode { require("error_code", "= ?", .text(code)) }
    if let time = filter.since { require("at", ">= ?", .time(time)) }
    if let time = filter.until { require("at", "< ?", .time(time)) }
    if let id = filter.requestID {
      // A backslash of JSON would be one of LIKE. More than the request's events may have the text: without its closing
      // quotation mark, it finds the statements of a session, too.
      let text = JSONValue.string(id).text.dropLast().replacing("\\", with: "_")
      require("details", "LIKE ?", .text("%\"requestID\":\(text)%"))
    }
  }

  var isEmpty: Bool { conditions.isEmpty }

  mutating func requireSequence(from first: Int64) {
    require("sequence", ">= ?", .integer(first))
  }

  private mutating func require(_ column: String, _ rest: String, _ value: SQLValue) {
    conditions.append((column, rest))
    values.append(value)
  }

  /// Returns the conditions, each after an AND, with a prefix for the columns.
  func sql(_ table: String) -> String {
    conditions.map { " AND \(table)\($0.column) \($0.rest)" }.joined()
  }
}
