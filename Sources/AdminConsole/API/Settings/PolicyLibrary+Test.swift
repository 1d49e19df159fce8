import AuthCore
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// `policy.test`: the examples of a file, and what they reach of it.
extension PolicyLibrary {
  func test(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let view = PolicyTestView(
      results: try LuaMergePolicy.runExamples(of: source),
      coverage: try PolicyCoverage.measure(source))
    return [.object(LuaObject(type: PolicyTestView.type, value: view))]
  }

  /// Defines the result: a list of examples for scripts, with the coverage beside it.
  func defineTest(in state: LuaState) {
    var type = LuaObjectType(name: PolicyTestView.type, fields: ["coverage"])
    type.get = { _, object, field in
      guard field == "coverage", let view = object.value as? PolicyTestView else { return nil }
      return .values([view.coverage.json.lua])
    }
    type.element = { object, index in
      guard let rows = (object.value as? PolicyTestView)?.rows, rows.indices.contains(index - 1)
      else { return .nil }
      return rows[index - 1]
    }
    type.length = { ($0.value as? PolicyTestView)?.results.count ?? 0 }
    type.items = { object in
      let rows = (object.value as? PolicyTestView)?.rows ?? []
      return rows.enumerated().map { (.integer(Int64($0.offset + 1)), $0.element) }
    }
    type.describe = { ($0.value as? PolicyTestView)?.shortText ?? PolicyTestView.type }
    type.refusesSet = "the results of a test cannot be changed"
    state.define(type)
  }
}

/// The results of a file's examples, as a script holds them and people read them.
struct PolicyTestView: Sendable {
  static let type = "policyTest"

  let results: [PolicyExampleResult]
  let coverage: PolicyCoverage

  /// The examples as records.
  var rows: [LuaValue] {
    results.map { result -> LuaValue in
      var row = LuaTable(fields: ["name": .string(result.name), "passed": .bool(result.passed)])
      // A column in which no example has a value is not shown.
      if let answer = result.answer { row["plan"] = .string(answer) }
      if let failure = result.failure { row["failure"] = .string(failure) }
      if !result.log.isEmpty { row["log"] = .strings(result.log) }
      return .table(row)
    }
  }

  /// The examples as a list, which is also their form in JSON.
  var list: LuaTable { LuaTable(array: rows) }

  var shortText: String {
    "\(results.count { $0.passed }) of \(results.count) examples passed; \(coverage.text)"
  }
}
