/// The locals that are visible at a place of a Lua text.
final class LuaScope {
  /// The known facts about a local.
  struct Local {
    /// The initial value; nil for parameters and loop variables.
    let value: LuaExpression?
  }

  private let parent: LuaScope?
  private var locals: [String: Local] = [:]

  init(_ parent: LuaScope? = nil) {
    self.parent = parent
  }

  func add(_ name: String, _ value: LuaExpression? = nil) { locals[name] = Local(value: value) }

  func local(_ name: String) -> Local? { locals[name] ?? parent?.local(name) }

  /// Every visible name.
  var names: [String] { Array(locals.keys) + (parent?.names ?? []) }
}

/// A place in a Lua text.
struct LuaPlace {
  let scope: LuaScope
  /// True inside a conditional branch.
  var isConditional = false
  /// True inside a function.
  var isInFunction = false
}

/// Walks through a Lua text and reports every statement, and every expression and assignment with the visible locals.
struct LuaWalk {
  var expression: (LuaExpression, LuaPlace) -> Void = { _, _ in }
  var statement: (LuaStatement) -> Void = { _ in }
  /// A callback with the target and the value of an assignment; nil if the target has no value of its own.
  var assignment: (LuaExpression, LuaExpression?, LuaPlace) -> Void = { _, _, _ in }

  func go(through statements: [LuaStatement]) {
    block(statements, LuaPlace(scope: LuaScope()))
  }

  private func block(_ statements: [LuaStatement], _ place: LuaPlace) {
    for statement in statements { visit(statement, place) }
  }

  private func inner(
    _ place: LuaPlace, _ names: [String] = [], isConditional: Bool? = nil
  ) -> LuaPlace {
    let scope = LuaScope(place.scope)
    for name in names { scope.add(name) }
    return LuaPlace(
      scope: scope, isConditional: isConditional ?? place.isConditional,
      isInFunction: place.isInFunction)
  }

  private func visit(_ statement: LuaStatement, _ place: LuaPlace) {
    self.statement(statement)
    switch statement.kind {
    case .local(let names, let values):
      for value in values { visit(value, place) }
      for (index, name) in names.enumerated() {
        place.scope.add(name, values.indices.contains(index) ? values[index] : nil)
      }
    case .assign(let targets, let values):
      for value in values { visit(value, place) }
      for (index, target) in targets.enumerated() {
        assignment(target, values.indices.contains(index) ? values[index] : nil, place)
        visitParts(of: target, place)
      }
    case .expression(let value): visit(value, place)
    case .block(let body): block(body, inner(place))
    case .loop(let condition, let body):
      visit(condition, place)
      block(body, inner(place, isConditional: true))
    case .repeating(let body, let condition):
      let place = inner(place)
      block(body, place)
      visit(condition, place)
    case .branch(let branches, let otherwise):
      for branch in branches {
        visit(branch.condition, place)
        block(branch.body, inner(place, isConditional: true))
      }
      block(otherwise, inner(place, isConditional: true))
    case .each(let names, let range, let body):
      for value in range { visit(value, place) }
      block(body, inner(place, names, isConditional: true))
    case .localFunction(let name, let text):
      place.scope.add(name, LuaExpression(kind: .function(text), line: statement.line))
      visit(text, place)
    case .function(let target, let text):
      assignment(target, nil, place)
      visit(text, place)
    case .returning(let values):
      for value in values { visit(value, place) }
    case .jump: break
    }
  }

  private func visit(_ text: LuaFunctionText, _ place: LuaPlace) {
    var inside = inner(place, text.parameters, isConditional: false)
    inside.isInFunction = true
    block(text.body, inside)
  }

  /// Visits the parts of an assignment's target: a plain name is written there and not read.
  private func visitParts(of target: LuaExpression, _ place: LuaPlace) {
    guard case .index(let base, let key) = target.kind else { return }
    visit(base, place)
    visit(key, place)
  }

  private func visit(_ value: LuaExpression, _ place: LuaPlace) {
    expression(value, place)
    switch value.kind {
    case .name, .text, .number, .constant, .rest: break
    case .function(let text): visit(text, place)
    case .table(let fields):
      for field in fields {
        if let key = field.key { visit(key, place) }
        visit(field.value, place)
      }
    case .index(let base, let key):
      visit(base, place)
      visit(key, place)
    case .call(let function, let arguments):
      visit(function, place)
      for argument in arguments { visit(argument, place) }
    case .method(let base, _, let arguments):
      visit(base, place)
      for argument in arguments { visit(argument, place) }
    case .unary(_, let operand): visit(operand, place)
    case .binary(_, let left, let right):
      visit(left, place)
      visit(right, place)
    }
  }
}
