import CLuaShim
import TerminalOutput

/// The run-time data of a defined type or library.
struct ObjectBehavior {
  let name: String
  let isLibrary: Bool
  let metatable: LuaReference
  let fields: [String]
  let fieldTypes: [String: String]
  let methods: [String]
  let keys: (() -> [String])?
  let keyTypes: String?
  let describe: ((LuaObject) -> String)?

  /// The names of everything that can be read.
  var names: [String] { fields + methods + (keys?() ?? []) }
}

extension LuaState {
  /// Defines a type, so that objects of it can be handed to scripts.
  ///
  /// Defining a name again replaces the type for objects that are made later.
  public func define(_ type: LuaObjectType) {
    drain()
    let metatable = makeMetatable(type, separator: ":")
    ls_forget_identities(current)
    behaviors[type.name] = ObjectBehavior(
      name: type.name, isLibrary: false, metatable: metatable, fields: type.fields,
      fieldTypes: type.fieldTypes, methods: Array(type.methods.keys), keys: nil, keyTypes: nil,
      describe: type.description)
  }

  /// Makes a library, which the host then sets as a global.
  public func library(_ library: LuaLibrary) -> LuaValue {
    drain()
    let values = library.values
    let get = library.get
    var type = LuaObjectType(name: "@" + library.name, fields: Array(values.keys))
    type.methods = library.functions
    type.get = { call, _, key in
      if let value = values[key] { return .values([value]) }
      return try get?(call, key)
    }
    type.refusesSet = "\(library.name) is read-only"
    if let items = library.items { type.items = { _ in items() } }
    let text = library.describe ?? library.name
    type.describe = { _ in text }
    behaviors[type.name] = ObjectBehavior(
      name: library.name, isLibrary: true, metatable: makeMetatable(type, separator: "."),
      fields: type.fields, fieldTypes: [:], methods: Array(type.methods.keys),
      keys: library.keys, keyTypes: library.keyTypes, describe: type.description)
    return .object(LuaObject(type: type.name, value: library.name))
  }

  private func makeMetatable(_ type: LuaObjectType, separator: String) -> LuaReference {
    let L = current
    _ = lua_checkstack(L, 12)
    let shown = LuaObject(type: type.name, value: 0).displayType
    lua_createtable(L, 0, 12)
    Self.push(shown, L)
    lua_setfield(L, -2, "__name")

    lua_createtable(L, 0, Int32(clamping: type.methods.count))
    for (name, body) in type.methods {
      Self.push(name, L)
      let full = shown + separator + name
      let receiver: CallRule.Receiver =
        separator == ":"
        ? .required(type: type.name, shown: shown) : .library(type: type.name)
      let rule = CallRule(receiver, signature?(full))
      pushFunction(HostFunction(full, objects, rule: rule, body: body), L)
      lua_rawset(L, -3)
    }
    let getter = HostFunction(shown, objects) { try Self.read($0, type, shown) }
    ls_push_index_function(L, Unmanaged.passRetained(getter).toOpaque())
    lua_setfield(L, -2, "__index")

    setEvent("__newindex", L) { try Self.write($0, type, shown) }
    let describe = type.description
    setEvent("__tostring", L) { call in
      if let reason = type.refusesText { throw LuaArgumentError(reason) }
      let object = try call.object(1, type.name)
      return .values([.string(describe?(object) ?? shown)])
    }
    setEvent("__json", L) { call in
      let data = call.state.dataForJSON?(try call.object(1, type.name))
      return .values([data.map { .table($0) } ?? .nil])
    }
    if let length = type.length {
      setEvent("__len", L) { .values([.integer(Int64(length(try $0.object(1, type.name))))]) }
    }
    setEvent("__pairs", L) { try Self.iterate($0, type, shown) }
    ls_mark_object_metatable(L)
    return takeReference(L)
  }

  private func setEvent(
    _ event: String, _ L: OpaquePointer, _ body: @escaping (LuaCall) throws -> LuaOutcome
  ) {
    pushFunction(HostFunction(event, objects, body: body), L)
    lua_setfield(L, -2, event)
  }

  private static func read(
    _ call: LuaCall, _ type: LuaObjectType, _ shown: String
  ) throws -> LuaOutcome {
    let object = try call.object(1, type.name)
    if let element = type.element, case .integer(let number) = try call.value(2) {
      return .values([element(object, Int(clamping: number))])
    }
    let key = try? call.string(2)
    if let key, let found = try type.get?(call, object, key) { return found }
    throw LuaArgumentError(
      call.state.unknownField(key ?? call.typeName(2), of: type.name, shown: shown))
  }

  func unknownField(_ key: String, of type: String, shown: String) -> String {
    let behavior = behaviors[type]
    let preposition = behavior?.isLibrary == true ? "in" : "on"
    let problem = "no field '\(key)' \(preposition) \(shown)"
    guard let nearest = Spelling.nearest(to: key, among: behavior?.names ?? []) else {
      return problem
    }
    return "\(problem); did you mean '\(nearest)'?"
  }

  private static func write(
    _ call: LuaCall, _ type: LuaObjectType, _ shown: String
  ) throws -> LuaOutcome {
    guard let set = type.set else {
      throw LuaArgumentError(type.refusesSet ?? "\(shown) is read-only")
    }
    try set(call, try call.object(1, type.name), try call.string(2, "field"), try call.value(3))
    return .values([])
  }

  /// Begins `pairs`: with the entries that the type lists, or else with the members of its data.
  private static func iterate(
    _ call: LuaCall, _ type: LuaObjectType, _ shown: String
  ) throws -> LuaOutcome {
    let object = try call.object(1, type.name)
    var rest: ArraySlice<(LuaValue, LuaValue)>
    if let items = type.items {
      rest = items(object)[...]
    } else if let data = call.state.dataForJSON?(object) {
      let members = data.fields.filter { !$0.value.isNil }.sorted { $0.key < $1.key }
      rest = members.map { (.string($0.key), $0.value) }[...]
    } else {
      throw LuaArgumentError("\(shown) has no entries for pairs")
    }
    let next = call.state.function(named: "next") { _ in
      guard let (key, value) = rest.popFirst() else { return [.nil] }
      return [key, value]
    }
    return .values([.function(next)])
  }
}

extension LuaObjectType {
  /// Describes an object, in one line unless the type has lines of its own.
  fileprivate var description: ((LuaObject) -> String)? {
    guard let describe else { return nil }
    return describesInLines ? describe : { VisibleText.oneLine(describe($0)) }
  }
}
