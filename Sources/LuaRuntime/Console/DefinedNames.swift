import CLuaShim

/// The members of a library or a type that the host defined.
package struct LuaMembers {
  /// True for a library, false for the type of an object.
  package let isLibrary: Bool
  /// The name of the library or type in messages.
  package let name: String
  /// The fields that can be read, in the order of their definition.
  package let fields: [String]
  /// The names of functions or methods, sorted.
  package let functions: [String]
}

extension LuaState {
  /// Returns the members of an object's type; nil if the type is not defined.
  package func members(of object: LuaObject) -> LuaMembers? {
    behaviors[object.type].map { behavior in
      LuaMembers(
        isLibrary: behavior.isLibrary, name: behavior.name, fields: behavior.fields,
        functions: behavior.methods.sorted())
    }
  }

  /// The functions of all libraries and the methods of all types, such as `accounts.get` and `account:link`, sorted.
  package var definedFunctions: [String] {
    behaviors.values.flatMap { behavior in
      behavior.methods.map { "\(behavior.name)\(behavior.isLibrary ? "." : ":")\($0)" }
    }.sorted()
  }

  /// The names of the global variables that are functions, sorted.
  package var globalFunctions: [String] {
    globalNames().filter { get($0).functionValue != nil }.sorted()
  }
}

extension LuaCall {
  /// Returns the name of an argument that is a function of the host; nil for any other value.
  package func functionName(_ index: Int) -> String? {
    guard index <= count, lua_checkstack(L, 4) != 0,
      let box = ls_function_box(L, Int32(index))
    else { return nil }
    return Unmanaged<HostFunction>.fromOpaque(box).takeUnretainedValue().name
  }
}
