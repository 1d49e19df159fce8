import AuthCore

/// A value of a statement's placeholder.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case string(String)

  static func text(_ text: String) -> SQLValue { .string(text) }
  static func text(_ text: String?) -> SQLValue { text.map(SQLValue.string) ?? .null }
  static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  static func time(_ time: Timestamp?) -> SQLValue {
    time.map { .integer($0.milliseconds) } ?? .null
  }
}

extension SQLValue {
  /// Compares texts byte for byte, as engines do.
  package static func == (a: SQLValue, b: SQLValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    // Most values differ, and this finds out soonest.
    case (.string(let a), .string(let b)): a.isExactly(b)
    default: false
    }
  }
}

extension Scope {
  /// The columns project and tenant.
  var values: [SQLValue] { [.text(project), .text(tenant ?? "")] }

  func values(_ id: AccountID) -> [SQLValue] {
    [.text(project), .text(tenant ?? ""), .text(id.rawValue)]
  }
}
