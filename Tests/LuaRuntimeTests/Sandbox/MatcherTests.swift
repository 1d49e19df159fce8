import AuthTesting
import LuaRuntime
import Testing

/// Our own matcher must give the results of the stock one for any pattern.
@Suite struct MatcherTests {
  static let pieces = [
    "a", "b", "c", "x", "1", " ", "-", ".", "%", "%a", "%d", "%s", "%w", "%A", "%p", "%%", "%.",
    "[ab]", "[^a]", "[a-c]", "[%a_]", "[]]", "[^]]", "[a-]", "[%]]", "[-a]", "(", ")", "()", "*",
    "+", "-", "?", "^", "$", "%b()", "%bxx", "%b", "%f[%w]", "%f[a]", "%f", "%1", "%2", "%0", "[",
    "]", "\u{0}", "%z", "(a*)", "(.-)", "(b?)", "([ab]+)", "%g", "%x", "%c",
  ]
  static let letters = ["a", "b", "c", "x", "1", " ", "(", ")", ".", "-", "_", "\u{0}", "é", "]"]
  static let replacements = ["", "<%0>", "%1", "%2", "%%", "r", "%", "%9", "[%1%0]"]

  /// Runs one case with both libraries and returns whether they agree.
  static let compare = """
    local ours, stock = ...
    local function same(name, ...)
      local a = table.pack(pcall(ours[name], ...))
      local b = table.pack(pcall(stock[name], ...))
      if a[1] ~= b[1] then return false end
      if not a[1] then
        local function text(e) return (e:gsub("'%?'", "'" .. name .. "'")) end
        return text(a[2]) == text(b[2]), a[2], b[2]
      end
      if a.n ~= b.n then return false end
      for i = 1, a.n do if a[i] ~= b[i] then return false end end
      return true
    end
    local function all(library, s, p, from)
      local list = {}
      for a, b, c in library.gmatch(s, p, from) do
        list[#list + 1] = tostring(a) .. '|' .. tostring(b) .. '|' .. tostring(c)
      end
      return table.concat(list, ';')
    end
    return function(s, p, r, from, count, plain)
      if not same('find', s, p, from, plain) then return 'find' end
      if not same('match', s, p, from) then return 'match' end
      if not same('gsub', s, p, r, count) then return 'gsub' end
      if not same('gsub', s, p, function(a, b) return b or (a == 'a' and 'A') end) then
        return 'gsub with a function'
      end
      if not same('gsub', s, p, { a = 'T', b = false, [1] = 'P' }) then
        return 'gsub with a table'
      end
      local ok1, x = pcall(all, ours, s, p, from)
      local ok2, y = pcall(all, stock, s, p, from)
      if ok1 ~= ok2 or (ok1 and x ~= y) then return 'gmatch' end
    end
    """

  @Test func `random patterns give the results of the stock library`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let state = try LuaState(profile: .plugin, configuration: .init(limits: LuaLimits()))
    let chunk = try state.load(Self.compare, name: "compare")
    let ours = state.get("string")
    let compare = try #require(
      state.call(chunk, [ours, state.stockStrings()])[0].functionValue)

    for _ in 0..<20_000 {
      let subject = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in Self.letters.randomElement(using: &random) ?? "" }.joined()
      let pattern = (0..<Int.random(in: 0...6, using: &random))
        .map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      let replacement = Self.replacements.randomElement(using: &random) ?? ""
      let from = Int64.random(in: -6...14, using: &random)
      let count: LuaValue =
        Bool.random(using: &random) ? .nil : .integer(.random(in: -1...4, using: &random))
      let difference = try state.call(
        compare,
        [
          .string(subject), .string(pattern), .string(replacement), .integer(from), count,
          .bool(Int.random(in: 0..<8, using: &random) == 0),
        ])
      guard difference.first?.stringValue == nil else {
        Issue.record("seed \(seed): \(difference) for \(subject.debugDescription) and \(pattern)")
        return
      }
    }
  }

  @Test func `the other guarded functions give the results of the stock library`() throws {
    let state = try LuaState(profile: .plugin)
    let chunk = try state.load(
      """
      local ours, stock = ...
      local function same(name, ...)
        local a, b = table.pack(pcall(ours[name], ...)), table.pack(pcall(stock[name], ...))
        if a.n ~= b.n then return name end
        for i = 1, a.n do if a[i] ~= b[i] and a[1] then return name .. tostring(a[i]) end end
      end
      for n = -1, 9 do
        for _, s in ipairs { '', 'x', 'abc', 'ab\\0' } do
          for _, gap in ipairs { '', ',', 'long' } do
            local bad = same('rep', s, n, gap)
            if bad then return bad end
          end
          for m = -4, 4 do
            local bad = same('byte', s, n, m) or same('sub', s, n, m)
            if bad then return bad end
          end
        end
      end
      return same('format', '%5.2f|%q|%s|%d|%x|%%', 1.5, 'a\\n', 'b', 3, 255)
        or same('pack', '<i4s1z', 5, 'ab', 'c') or same('unpack', '<i4', 'abcd')
        or same('upper', 'aé') or same('reverse', 'abc') or same('packsize', 'i4i8')
      """, name: "compare")

    #expect(try state.call(chunk, [state.get("string"), state.stockStrings()]) == [nil])
  }

  @Test func `sorting orders as it should`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let state = try LuaState(profile: .plugin)
    let sort = try state.load(
      "local t = ... table.sort(t) local u = {table.unpack(t)} "
        + "table.sort(u, function(a, b) return a > b end) return t, u", name: "sort")

    for _ in 0..<300 {
      let numbers = (0..<Int.random(in: 0...40, using: &random))
        .map { _ in Int64.random(in: -20...20, using: &random) }
      let values = LuaValue.table(LuaTable(array: numbers.map { .integer($0) }))

      let sorted = try state.call(sort, [values])

      #expect(sorted[0].tableValue?.array == numbers.sorted().map { .integer($0) }, "\(seed)")
      #expect(sorted[1].tableValue?.array == numbers.sorted(by: >).map { .integer($0) }, "\(seed)")
    }
  }
}
