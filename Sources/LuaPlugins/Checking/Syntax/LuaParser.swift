/// Parses the tokens of a Lua 5.4 text into statements.
///
/// For files that Lua has already compiled; text that the parser does not understand is a ``Failure``.
struct LuaParser {
  struct Failure: Error {}

  /// The most operators or suffixes in a row in one expression.
  ///
  /// Lua limits nesting but not chains, and a walk through the tree must not exhaust the stack.
  private static let longestChain = 200

  private let tokens: [LuaToken]
  private var position = 0

  private init(_ tokens: [LuaToken]) {
    self.tokens = tokens
  }

  /// The statements of a file.
  static func statements(of text: String) throws(Failure) -> [LuaStatement] {
    try statements(of: LuaLexer.tokens(of: text))
  }

  /// The statements of a file's tokens.
  static func statements(of tokens: [LuaToken]) throws(Failure) -> [LuaStatement] {
    var parser = LuaParser(tokens)
    let statements = try parser.block()
    guard parser.current.kind == .end else { throw Failure() }
    return statements
  }

  private var current: LuaToken { tokens[min(position, tokens.count - 1)] }

  private func isAt(_ text: String) -> Bool {
    current.text == text && (current.kind == .symbol || current.kind == .keyword)
  }

  private mutating func accept(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ text: String) throws(Failure) {
    guard accept(text) else { throw Failure() }
  }

  private mutating func name() throws(Failure) -> String {
    guard current.kind == .name else { throw Failure() }
    position += 1
    return tokens[position - 1].text
  }
}

extension LuaParser {
  private mutating func block() throws(Failure) -> [LuaStatement] {
    var statements: [LuaStatement] = []
    while current.kind != .end, !["end", "else", "elseif", "until"].contains(where: isAt) {
      if accept(";") { continue }
      let (line, start) = (current.line, position)
      let kind = try statement()
      statements.append(LuaStatement(kind: kind, line: line, tokens: start..<position))
    }
    return statements
  }

  private mutating func body(until word: String = "end") throws(Failure) -> [LuaStatement] {
    let statements = try block()
    try expect(word)
    return statements
  }

  private mutating func statement() throws(Failure) -> LuaStatement.Kind {
    if accept("local") { return try local() }
    if accept("if") { return try branch() }
    if accept("for") { return try each() }
    if accept("function") { return try function() }
    if accept("return") {
      let isEmpty = [";", "end", "else", "elseif", "until"].contains(where: isAt)
      return .returning(isEmpty || current.kind == .end ? [] : try expressions())
    }
    if accept("do") { return .block(try body()) }
    if accept("while") {
      let condition = try expression()
      try expect("do")
      return .loop(condition, try body())
    }
    if accept("repeat") {
      let body = try body(until: "until")
      return .repeating(body, until: try expression())
    }
    if accept("break") { return .jump }
    if accept("goto") {
      _ = try name()
      return .jump
    }
    if accept("::") {
      _ = try name()
      try expect("::")
      return .jump
    }
    return try assignmentOrCall()
  }

  private mutating func local() throws(Failure) -> LuaStatement.Kind {
    if accept("function") { return .localFunction(try name(), try functionBody()) }
    var names: [String] = []
    repeat {
      names.append(try name())
      if accept("<") {
        _ = try name()
        try expect(">")
      }
    } while accept(",")
    return .local(names, accept("=") ? try expressions() : [])
  }

  private mutating func branch() throws(Failure) -> LuaStatement.Kind {
    var branches: [(condition: LuaExpression, body: [LuaStatement])] = []
    repeat {
      let condition = try expression()
      try expect("then")
      branches.append((condition, try block()))
    } while accept("elseif")
    let otherwise = accept("else") ? try block() : []
    try expect("end")
    return .branch(branches, otherwise: otherwise)
  }

  private mutating func each() throws(Failure) -> LuaStatement.Kind {
    var names = [try name()]
    while accept(",") { names.append(try name()) }
    guard accept("=") || accept("in") else { throw Failure() }
    let range = try expressions()
    try expect("do")
    return .each(names, range, try body())
  }

  private mutating func function() throws(Failure) -> LuaStatement.Kind {
    let line = current.line
    var target = LuaExpression(kind: .name(try name()), line: line)
    while isAt(".") || isAt(":") {
      position += 1
      let key = LuaExpression(kind: .text(try name()), line: line)
      target = LuaExpression(kind: .index(target, key), line: line)
    }
    return .function(target, try functionBody())
  }

  private mutating func functionBody() throws(Failure) -> LuaFunctionText {
    var parameters: [String] = []
    try expect("(")
    while !accept(")") {
      if !accept("...") { parameters.append(try name()) }
      _ = accept(",")
    }
    return LuaFunctionText(parameters: parameters, body: try body())
  }

  private mutating func assignmentOrCall() throws(Failure) -> LuaStatement.Kind {
    let first = try suffixed()
    guard isAt("=") || isAt(",") else { return .expression(first) }
    var targets = [first]
    while accept(",") { targets.append(try suffixed()) }
    try expect("=")
    return .assign(targets, try expressions())
  }
}

/// Expressions.
extension LuaParser {
  private mutating func expressions() throws(Failure) -> [LuaExpression] {
    var list = [try expression()]
    while accept(",") { list.append(try expression()) }
    return list
  }

  /// The binding strength of each operator on its left and right (Lua 5.4 manual, 3.4.8).
  private static let strengths: [String: (left: Int, right: Int)] = [
    "or": (1, 1), "and": (2, 2), "<": (3, 3), ">": (3, 3), "<=": (3, 3), ">=": (3, 3),
    "~=": (3, 3), "==": (3, 3), "|": (4, 4), "~": (5, 5), "&": (6, 6), "<<": (7, 7),
    ">>": (7, 7), "..": (9, 8), "+": (10, 10), "-": (10, 10), "*": (11, 11), "/": (11, 11),
    "//": (11, 11), "%": (11, 11), "^": (14, 13),
  ]
  private static let unaryStrength = 12

  private mutating func expression(above limit: Int = 0) throws(Failure) -> LuaExpression {
    let (line, start) = (current.line, position)
    var left: LuaExpression
    if let sign = ["not", "#", "-", "~"].first(where: isAt) {
      position += 1
      left = LuaExpression(
        kind: .unary(sign, try expression(above: Self.unaryStrength)), line: line)
    } else {
      left = try simple()
    }
    left.tokens = start..<position
    var length = 0
    while current.kind == .symbol || current.kind == .keyword,
      let strength = Self.strengths[current.text], strength.left > limit
    {
      let sign = current.text
      position += 1
      length += 1
      guard length <= Self.longestChain else { throw Failure() }
      let right = try expression(above: strength.right)
      left = LuaExpression(
        kind: .binary(sign, left, right), line: line, tokens: start..<position)
    }
    return left
  }

  private mutating func simple() throws(Failure) -> LuaExpression {
    let token = current
    let kind: LuaExpression.Kind
    switch (token.kind, token.text) {
    case (.text, _): kind = .text(token.text)
    case (.number, _): kind = .number
    case (.keyword, "nil"), (.keyword, "true"), (.keyword, "false"): kind = .constant(token.text)
    case (.symbol, "..."): kind = .rest
    case (.symbol, "{"): return try table()
    case (.keyword, "function"):
      position += 1
      return LuaExpression(kind: .function(try functionBody()), line: token.line)
    default: return try suffixed()
    }
    position += 1
    return LuaExpression(kind: kind, line: token.line)
  }

  private mutating func suffixed() throws(Failure) -> LuaExpression {
    let line = current.line
    var base: LuaExpression
    if accept("(") {
      base = try expression()
      try expect(")")
    } else {
      base = LuaExpression(kind: .name(try name()), line: line)
    }
    for _ in 0..<Self.longestChain {
      let line = current.line
      if accept(".") {
        let key = LuaExpression(kind: .text(try name()), line: line)
        base = LuaExpression(kind: .index(base, key), line: line)
      } else if accept("[") {
        let key = try expression()
        try expect("]")
        base = LuaExpression(kind: .index(base, key), line: line)
      } else if accept(":") {
        let method = try name()
        guard let arguments = try arguments() else { throw Failure() }
        base = LuaExpression(kind: .method(base, method, arguments), line: line)
      } else if let arguments = try arguments() {
        base = LuaExpression(kind: .call(base, arguments), line: line)
      } else {
        return base
      }
    }
    throw Failure()
  }

  private mutating func arguments() throws(Failure) -> [LuaExpression]? {
    let token = current
    if token.kind == .text {
      position += 1
      return [LuaExpression(kind: .text(token.text), line: token.line)]
    }
    if isAt("{") { return [try table()] }
    guard accept("(") else { return nil }
    if accept(")") { return [] }
    let list = try expressions()
    try expect(")")
    return list
  }

  private mutating func table() throws(Failure) -> LuaExpression {
    let line = current.line
    try expect("{")
    var fields: [LuaTableField] = []
    while !accept("}") {
      fields.append(try tableField())
      guard accept(",") || accept(";") || isAt("}") else { throw Failure() }
    }
    return LuaExpression(kind: .table(fields), line: line)
  }

  private mutating func tableField() throws(Failure) -> LuaTableField {
    if accept("[") {
      let key = try expression()
      try expect("]")
      try expect("=")
      return LuaTableField(name: key.textValue, key: key, value: try expression())
    }
    if current.kind == .name, tokens[min(position + 1, tokens.count - 1)].text == "=",
      tokens[min(position + 1, tokens.count - 1)].kind == .symbol
    {
      let name = try name()
      try expect("=")
      return LuaTableField(name: name, key: nil, value: try expression())
    }
    return LuaTableField(name: nil, key: nil, value: try expression())
  }
}
