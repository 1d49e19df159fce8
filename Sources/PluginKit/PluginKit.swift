// PluginKit is what an author of provider plug-ins works with: a new file, a check, tests without the vendor.
// It executes fixtures against a plug-in through the same LuaProvider that a server runs.
// It imports AuthCore, AuthTesting, BuiltInProviders and LuaPlugins.
