import AuthCore
import LuaRuntime

/// The words for policies of several files: `include` and `chain`.
extension PolicyLibrary {
  /// Compiles the included files, and defines both words.
  func installFiles() throws(LuaError) {
    var files: [String: LuaFunction] = [:]
    for (name, text) in parts.included {
      files[name] = try state.load(text, name: name, environment: environment)
    }
    try add("include") { [files, nesting] call in
      let name = try call.string(1, "file")
      guard let file = files[name] else {
        throw call.argumentError(
          1,
          files.isEmpty
            ? "there is no file \"\(name)\" beside this policy"
            : "there is no file \"\(name)\"; \(suggestion(for: name, among: files.keys.sorted()))")
      }
      guard nesting.depth < PolicyBundle.mostParts else {
        throw call.argumentError(1, "the files include each other in a circle")
      }
      nesting.depth += 1
      defer { nesting.depth -= 1 }
      return .values(try call.state.call(file, results: .references))
    }
    let kind = state.yieldingFunction(named: "chain") { call in
      if let answer = call.untouchedRecord(1) as? PolicyAnswer {
        return .values([.string(answer.name)])
      }
      guard call.typeName(1) == "table" else { return .values([.nil]) }
      return .values([try call.field("answer", of: 1)])
    }
    let chunk = try state.load(Self.chain, name: "chain", environment: environment)
    if let chain = try state.call(chunk, [.function(kind)], results: .references).first {
      try state.set("chain", to: chain, in: environment)
    }
  }

  /// Asks every policy.
  ///
  /// A refusal wins, then a requirement, then a review; otherwise the last merge is the answer.
  private static let chain = """
    local kind = ...
    local ranks = { refuse = 4, require = 3, review = 2, merge = 1 }
    return function(policies)
      if type(policies) ~= "table" or #policies == 0 then
        error("chain takes a list of policies and functions", 2)
      end
      local rules = {}
      for index = 1, #policies do
        local rule = policies[index]
        if type(rule) == "table" then rule = rule.decide end
        if type(rule) ~= "function" then
          error("entry " .. index .. " of chain is neither a policy nor a function", 2)
        end
        rules[index] = rule
      end
      return function(conflict)
        local answer, best
        for index = 1, #rules do
          local given = rules[index](conflict)
          if given ~= nil then
            local rank = ranks[kind(given)]
            if not rank then return given end
            if not best or rank > best or rank == 1 and best == 1 then answer, best = given, rank end
          end
        end
        return answer
      end
    end
    """
}

/// The depth of `include`; an included policy is not the one that the file declares.
final class IncludeNesting {
  var depth = 0
}
