import AuthCore
import Foundation
import LuaRuntime

/// The bounds for the length of a list that a script requests.
enum ListLimit {
  static let range: ClosedRange<Int64> = 1...100_000_000
}

extension LuaTable {
  /// Returns the limit of a list; nil if none is given.
  ///
  /// Throws `invalid-argument` unless it is a whole number above 0.
  func limit(_ name: String = "limit") throws(AuthError) -> Int? {
    try number(name, in: ListLimit.range)
  }
}

extension LuaCall {
  /// Returns the limit of a list from an argument; nil if none is given.
  ///
  /// Throws `invalid-argument` unless it is a whole number above 0.
  func limit(_ index: Int, _ name: String = "limit") throws -> Int? {
    if isNil(index) { return nil }
    // An argument is checked like an option, so that both get the same error.
    return try LuaTable(fields: [name: try value(index)]).limit(name)
  }
}

extension ConsoleSession {
  /// Reads a list to its end or up to a limit, page by page.
  ///
  /// Only the parts that scripts see are kept.
  func whole<Entry: Sendable>(
    limit: Int?,
    _ page:
      @escaping @Sendable (AccountGraph, Scope, _ last: Entry?, _ count: Int) async throws ->
      [Entry],
    as value: (Entry) -> LuaValue
  ) throws -> [LuaValue] {
    let limit = limit ?? .max
    var values: [LuaValue] = []
    var last: Entry?
    while values.count < limit {
      let (behind, count) = (last, min(500, limit - values.count))
      let entries = try wait { try await page($0, $1, behind, count) }
      values += entries.map(value)
      guard entries.count == count else { break }
      last = entries.last
    }
    return values
  }
}

/// A list that a function of the API returns, with a notice if it was cut because no limit was given.
struct CutList {
  let values: [LuaValue]
  /// The notice about the missing part and how to get it; nil for a complete list.
  var cut: String?

  init(_ values: [LuaValue], cut: String? = nil) {
    self.values = values
    self.cut = cut
  }

  /// The list, followed by `{ truncated = true, limit = … }` if it was cut.
  ///
  /// A warning is printed as well.
  func results(of session: ConsoleSession) -> [LuaValue] {
    let list = LuaValue.table(LuaTable(array: values))
    guard let cut else { return [list] }
    session.output.notice(cut)
    return [list, ["truncated": true, "limit": .integer(Int64(values.count))]]
  }
}
