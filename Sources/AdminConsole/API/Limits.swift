import AuthCore
import Foundation
import LuaRuntime

/// How long a list may be that a script asks for.
enum ListLimit {
  static let range: ClosedRange<Int64> = 1...100_000_000
}

extension LuaTable {
  /// The limit of a list; nil where none was asked for.
  ///
  /// Throws `invalid-argument` unless it is a whole number above 0.
  func limit(_ name: String = "limit") throws(AuthError) -> Int? {
    try number(name, in: ListLimit.range)
  }
}

extension LuaCall {
  /// The limit of a list as an argument; nil where none was asked for.
  ///
  /// Throws `invalid-argument` unless it is a whole number above 0.
  func limit(_ index: Int, _ name: String = "limit") throws -> Int? {
    if isNil(index) { return nil }
    // An argument is checked like an option, so that both are refused in the same words.
    return try LuaTable(fields: [name: try value(index)]).limit(name)
  }
}

extension ConsoleSession {
  /// Reads a list to its end, or as far as a limit; of each page only what scripts see is kept.
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

/// A list as a function of the API gives it, which says so if it was cut because no limit was asked for.
struct CutList {
  let values: [LuaValue]
  /// What is missing, and how to get it; nil for a whole list.
  var cut: String?

  init(_ values: [LuaValue], cut: String? = nil) {
    self.values = values
    self.cut = cut
  }

  /// The list and, where it was cut, `{ truncated = true, limit = … }` behind it; people are warned as well.
  var results: [LuaValue] {
    let list = LuaValue.table(LuaTable(array: values))
    guard let cut else { return [list] }
    ConsoleOutput.warn(cut)
    return [list, ["truncated": true, "limit": .integer(Int64(values.count))]]
  }
}
