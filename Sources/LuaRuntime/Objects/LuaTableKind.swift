import CLuaShim

/// The title of a kind of tables, and the only names that scripts may read of them.
final class LuaTableKind: Sendable {
  let title: String
  let names: [String]

  init(_ title: String, _ names: [String]) {
    self.title = title
    self.names = names
  }

  /// Makes the error for an unknown name, with the nearest known one.
  fileprivate func refusal(of name: String?) -> LuaArgumentError {
    guard let name else { return LuaArgumentError("\(title) is read by its names, as text") }
    let advice =
      Spelling.nearest(to: name, among: names).map { "Did you mean \"\($0)\"?" }
      ?? "It has: \(names.joined(separator: ", "))."
    return LuaArgumentError("\(title) has no \"\(name)\". \(advice)")
  }
}

/// The metatables of tables of one kind in one state.
struct KnownMetatables {
  let written: LuaReference
  let deferred: LuaReference
}

extension LuaState {
  /// The cost of reading an unknown name in steps of the budget, because the nearest name is looked for.
  private static let costOfRefusal = 200

  /// Returns the metatables of a kind; nil if scripts may read any name.
  func knownMetatables(of kind: LuaTableKind?) throws(LuaError) -> KnownMetatables? {
    guard defersRecords, let kind else { return nil }
    if let known = known[ObjectIdentifier(kind)] { return known }
    let L = current
    guard lua_checkstack(L, 16) != 0 else { throw LuaError(.conversion, "the stack is full") }
    lua_createtable(L, 0, Int32(clamping: kind.names.count))
    for name in kind.names {
      Self.push(name, L)
      lua_pushboolean(L, 1)
      lua_rawset(L, -3)
    }
    let refuse = HostFunction("index", objects) { call in
      try call.charge(Self.costOfRefusal)
      throw kind.refusal(of: call.count > 0 ? try call.string(1) : nil)
    }
    pushFunction(refuse, L)
    ls_push_known(L)
    let deferred = takeReference(L)
    let made = KnownMetatables(written: takeReference(L), deferred: deferred)
    known[ObjectIdentifier(kind)] = made
    return made
  }

  /// Restricts the table on top of the stack to its known names.
  func know(_ names: LuaFieldNames?, _ L: OpaquePointer) throws(LuaError) {
    guard let known = try knownMetatables(of: names?.kind) else { return }
    ls_push_ref(L, known.written.index)
    lua_setmetatable(L, -2)
  }
}
