import AuthCore

/// A plug-in whose app gets its credentials without a browser redirect.
struct LuaPlainProvider: LuaProvider {
  let core: LoadedPlugin
}
