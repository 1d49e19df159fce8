/// An expression of a Lua text, in the detail that checks need.
struct LuaExpression {
  indirect enum Kind {
    case name(String)
    case text(String)
    case number
    /// `true`, `false` or `nil`.
    case constant(String)
    /// `...`
    case rest
    case function(LuaFunctionText)
    case table([LuaTableField])
    case index(LuaExpression, LuaExpression)
    case call(LuaExpression, [LuaExpression])
    case method(LuaExpression, String, [LuaExpression])
    case unary(String, LuaExpression)
    case binary(String, LuaExpression, LuaExpression)
  }

  let kind: Kind
  let line: Int
  /// The tokens of the expression, with the brackets around it; empty for a part of a longer one.
  var tokens: Range<Int> = 0..<0
}

/// A function's parameters and body.
struct LuaFunctionText {
  let parameters: [String]
  let body: [LuaStatement]
}

/// One field of a table: with a name, with a computed key, or a value alone.
struct LuaTableField {
  /// The name, or the text in brackets; nil for an element of a list.
  let name: String?
  /// The expression in brackets, if there is one.
  let key: LuaExpression?
  let value: LuaExpression
}

/// A statement of a Lua text.
struct LuaStatement {
  indirect enum Kind {
    case local([String], [LuaExpression])
    case assign([LuaExpression], [LuaExpression])
    case expression(LuaExpression)
    case block([LuaStatement])
    case loop(LuaExpression, [LuaStatement])
    case repeating([LuaStatement], until: LuaExpression)
    case branch([(condition: LuaExpression, body: [LuaStatement])], otherwise: [LuaStatement])
    /// `for` over numbers or an iterator: its variables, its range, and its body.
    case each([String], [LuaExpression], [LuaStatement])
    case localFunction(String, LuaFunctionText)
    case function(LuaExpression, LuaFunctionText)
    case returning([LuaExpression])
    /// `break`, `goto` and labels.
    case jump
  }

  let kind: Kind
  let line: Int
  /// The tokens of the statement.
  var tokens: Range<Int> = 0..<0
}

extension LuaExpression {
  var nameValue: String? { if case .name(let name) = kind { name } else { nil } }
  var textValue: String? { if case .text(let text) = kind { text } else { nil } }

  var isTrue: Bool { if case .constant("true") = kind { true } else { false } }
  var isNil: Bool { if case .constant("nil") = kind { true } else { false } }

  var fields: [LuaTableField]? { if case .table(let fields) = kind { fields } else { nil } }
  var function: LuaFunctionText? { if case .function(let text) = kind { text } else { nil } }

  /// The value of a field in a table constructor.
  func field(_ name: String) -> LuaExpression? { fields?.first { $0.name == name }?.value }

  /// The called function as it is written: `identity`, `http.get`.
  var callee: String? {
    guard case .call(let function, _) = kind else { return nil }
    return function.dottedName
  }

  /// The arguments of a call.
  var arguments: [LuaExpression] {
    switch kind {
    case .call(_, let arguments), .method(_, _, let arguments): arguments
    default: []
    }
  }

  /// A name, or names joined by dots, as they are written.
  var dottedName: String? {
    switch kind {
    case .name(let name): name
    case .index(let base, let key):
      base.dottedName.flatMap { base in key.textValue.map { "\(base).\($0)" } }
    default: nil
    }
  }
}
