/// A place at which a script goes one of two ways.
struct BranchPoint: Hashable {
  /// The kind of place.
  enum Kind: Hashable {
    /// A condition, or an operand of `and` or `or` that decides whether the other one is evaluated.
    case condition
    /// A `for` loop: it is entered or not, and it is left at its end or before.
    case loop
  }

  let kind: Kind
  let tokens: Range<Int>
}

/// The branches of a Lua text, and the lines of the examples in it.
///
/// A condition of several operands has a point for each of them, since each can decide it. Constants, tables, functions
/// and the results of arithmetic have none, because they go one way only.
final class BranchFinder {
  private let tokens: [LuaToken]
  private var found: Set<BranchPoint> = []
  private var breaks: [Range<Int>: [Range<Int>]] = [:]
  private(set) var examples: Range<Int>?

  /// Finds the branches; throws if the text is not understood.
  init(_ tokens: [LuaToken]) throws(LuaParser.Failure) {
    self.tokens = tokens
    let statements = try LuaParser.statements(of: tokens)
    var walk = LuaWalk()
    walk.expression = { value, _ in self.visit(value) }
    walk.statement = { self.visit($0) }
    walk.go(through: statements)
  }

  /// The points in the order of the text, without those of the examples.
  var points: [BranchPoint] {
    found.filter { point in examples.map { !$0.contains(point.tokens.lowerBound) } ?? true }
      .sorted { a, b in
        (a.tokens.lowerBound, b.tokens.upperBound) < (b.tokens.lowerBound, a.tokens.upperBound)
      }
  }

  /// The tokens of the `break`s that leave a loop.
  func breaks(of loop: BranchPoint) -> [Range<Int>] { breaks[loop.tokens] ?? [] }

  /// The token `do` of a loop.
  func start(of loop: BranchPoint) -> Int? { starts[loop.tokens] }
  private var starts: [Range<Int>: Int] = [:]

  /// The lines on which there is nothing but the examples.
  var linesOfExamples: Set<Int> {
    guard let examples else { return [] }
    let inside = Set(tokens[examples].map(\.line))
    guard let first = inside.min(), let last = inside.max() else { return [] }
    let outside = tokens.enumerated().filter { !examples.contains($0.offset) }.map(\.element.line)
    return Set(first...last).subtracting(outside)
  }

  private func visit(_ statement: LuaStatement) {
    switch statement.kind {
    case .loop(let condition, _), .repeating(_, until: let condition): add(condition)
    case .branch(let branches, _): branches.forEach { add($0.condition) }
    case .each(_, let range, let body):
      guard let last = range.last, !last.tokens.isEmpty, !statement.tokens.isEmpty else { return }
      found.insert(BranchPoint(kind: .loop, tokens: statement.tokens))
      breaks[statement.tokens] = jumps(out: body)
      starts[statement.tokens] = last.tokens.upperBound
    default: break
    }
  }

  private func visit(_ value: LuaExpression) {
    switch value.kind {
    case .binary("and", let left, _), .binary("or", let left, _): add(left)
    case .call(let function, let arguments) where function.nameValue == "policy":
      guard let examples = arguments.first?.field("examples"), examples.fields != nil,
        examples.tokens.lowerBound >= 2
      else { return }
      let isFollowed = [",", ";"].contains(tokens[examples.tokens.upperBound].text)
      self.examples =
        examples.tokens.lowerBound - 2..<examples.tokens.upperBound + (isFollowed ? 1 : 0)
    default: break
    }
  }

  private static let comparisons = ["==", "~=", "<", ">", "<=", ">="]

  /// Adds the operands that decide a condition.
  private func add(_ condition: LuaExpression) {
    switch condition.kind {
    case .binary("and", let left, let right), .binary("or", let left, let right):
      add(left)
      add(right)
    case .unary("not", let operand) where operand.isLogical: add(operand)
    case .constant, .number, .text, .table, .function: break
    case .unary(let sign, _) where sign != "not": break
    case .binary(let sign, _, _) where !Self.comparisons.contains(sign): break
    default:
      guard !condition.tokens.isEmpty else { return }
      found.insert(BranchPoint(kind: .condition, tokens: condition.tokens))
    }
  }

  /// The `break`s of a loop's body that are not those of a loop in it.
  private func jumps(out body: [LuaStatement]) -> [Range<Int>] {
    body.flatMap { statement -> [Range<Int>] in
      switch statement.kind {
      case .jump:
        let word = tokens[statement.tokens.lowerBound]
        return word.kind == .keyword && word.text == "break" ? [statement.tokens] : []
      case .block(let body): return jumps(out: body)
      case .branch(let branches, let otherwise):
        return branches.flatMap { jumps(out: $0.body) } + jumps(out: otherwise)
      default: return []
      }
    }
  }
}

extension LuaExpression {
  fileprivate var isLogical: Bool {
    switch kind {
    case .binary("and", _, _), .binary("or", _, _): true
    case .unary("not", let operand): operand.isLogical
    default: false
    }
  }
}
