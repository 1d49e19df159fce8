import AuthCore
import LuaRuntime

/// The words for policies of several files: `include` and `chain`.
extension PolicyLibrary {
  /// Compiles the included files.
  func compiledFiles() throws(LuaError) -> IncludedFiles {
    var files: [String: LuaFunction] = [:]
    for (name, text) in parts.included {
      files[name] = try state.load(text, name: name, environment: environment)
    }
    return IncludedFiles(files, of: "policy")
  }

  /// Defines both words.
  func installFiles(_ included: IncludedFiles) throws(LuaError) {
    try add("include") { .values(try included.include($0)) }
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
