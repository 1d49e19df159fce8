import Foundation
import Testing

@testable import LuaPlugins

/// The parser of Lua texts that the checks use.
@Suite struct `Reading Lua` {
  /// The undeclared names that a text reads.
  private func globals(_ text: String) throws -> [String] {
    var names: [String] = []
    var walk = LuaWalk()
    walk.expression = { value, place in
      if let name = value.nameValue, place.scope.local(name) == nil { names.append(name) }
    }
    walk.go(through: try LuaParser.statements(of: text))
    return names
  }

  @Test func `every plug-in of this repository can be read`() throws {
    let files =
      try FaultyFile.lua(in: FaultyFile.plugins)
      + (try FaultyFile.lua(in: FaultyFile.folder + "/Cases"))
    for file in files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(throws: Never.self, "\(file)") { try LuaParser.statements(of: text) }
    }
  }

  @Test func `locals have the scope that Lua gives them`() throws {
    #expect(try globals("local a = a") == ["a"])
    #expect(try globals("local function f() return f end") == [])
    #expect(try globals("local f = function() return f end") == ["f"])
    #expect(try globals("do local a end return a") == ["a"])
    #expect(try globals("for i = 1, n do local x = i end return i") == ["n", "i"])
    #expect(try globals("for k, v in pairs(t) do k = v end") == ["pairs", "t"])
    #expect(try globals("repeat local done = true until done") == [])
    #expect(try globals("if a then local b end return b") == ["a", "b"])
    #expect(try globals("local function f(x, ...) return x, ... end") == [])
    #expect(try globals("local t <const> = {} function t.f(s) return s end") == [])
  }

  @Test func `every spelling of a string is read`() throws {
    let text = #"""
      local t = { 'a\'b', "a\"b\n", [[long
      text]], [==[a]]b]==], "\65\x42\z
         C" } -- a comment --[[ not a long one
      --[[ a long
      comment ]] return t --[==[ another ]] ]==]
      """#
    let texts = LuaLexer.tokens(of: text).filter { $0.kind == .text }.map(\.text)

    #expect(texts == ["a'b", "a\"b\n", "long\ntext", "a]]b", "ABC"])
  }

  @Test func `lines are counted through long strings and comments`() throws {
    let tokens = LuaLexer.tokens(of: "local a = [[\n\n]]\n--[[\n\n]]\nb()")

    #expect(tokens.first { $0.text == "b" }?.line == 7)
  }

  @Test func `calls, methods and operators are read in Lua's order`() throws {
    let text = """
      local a, b = f{1, x = 2; [k] = v}, g"text":h(1)(2).c[d]
      a, b = -a ^ 2 .. "x" .. b, not a == b and #c or 3 // 4 % 5 << 6
      goto done
      while a do break end
      ::done:: return a, b;
      """
    #expect(try globals(text) == ["f", "k", "v", "g", "d", "c"])
  }

  @Test func `text that is no Lua is no tree`() {
    for text in ["local", "x =", "f(", "if x then", "return }", "for x do end", "1 = 2"] {
      #expect(throws: LuaParser.Failure.self, "\(text)") { try LuaParser.statements(of: text) }
    }
  }
}
