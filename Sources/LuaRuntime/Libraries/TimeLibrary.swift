import AuthValues

/// Gives scripts the time in milliseconds since 1970, and its text in RFC 3339.
enum TimeLibrary {
  static func functions(
    _ clock: @escaping () -> Int64
  ) -> [String: (LuaCall) throws -> [LuaValue]] {
    ["now": { _ in [.integer(clock())] }, "format": format, "parse": parse]
  }

  private static func format(_ call: LuaCall) throws -> [LuaValue] {
    let time = Timestamp(milliseconds: try call.integer(1, "milliseconds"))
    guard let text = time.rfc3339(withMilliseconds: true) else {
      throw call.argumentError(1, "a time in the years 0 to 9999 expected", name: "milliseconds")
    }
    return [.string(text)]
  }

  private static func parse(_ call: LuaCall) throws -> [LuaValue] {
    [Timestamp(rfc3339: try call.string(1, "text")).map { .integer($0.milliseconds) } ?? .nil]
  }
}
