import AuthCore

/// A plug-in whose credentials come to the app without a browser's detour.
struct LuaPlainProvider: LuaProvider {
  let core: LoadedPlugin
}
