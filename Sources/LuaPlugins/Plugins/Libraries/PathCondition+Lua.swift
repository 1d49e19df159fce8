import AuthCore
import LuaRuntime

extension [PathCondition] {
  /// The first element of a list in Lua that meets every condition; nil if there is none.
  func firstMatch(in list: LuaReference, _ call: LuaCall) throws -> LuaValue {
    let length = call.state.length(of: list)
    guard length > 0 else { return .nil }
    for position in 1...length {
      try call.charge(count * 4)
      let element = call.state.element(position, of: list)
      guard let table = element.referenceValue, table.typeName == "table" else { continue }
      let isMet = allSatisfy { condition in
        JSONValue(call.state.field(condition.name, of: table))?.isExactly(condition.value) == true
      }
      if isMet { return element }
    }
    return .nil
  }
}
