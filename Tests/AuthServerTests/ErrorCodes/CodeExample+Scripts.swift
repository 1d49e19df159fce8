import AuthCore
import AuthTesting
import LuaPlugins
import SQLiteStore
@testable import PostgresStore

extension CodeExample {
  /// Policies, hooks and plug-ins.
  static let scripts: [CodeExample] = [
    CodeExample(.invalidPolicy) { home in
      try home.graph.compile(PolicySource(name: "house.lua", text: "return 1"))
    },
    CodeExample(.blockingFunctionError) { home in
      let script = "return hooks { before_create = function() return refuse 'Staff only.' end }"
      try await home.settings {
        $0.signIn.blockingFunctions.script = PolicySource(name: "hooks.lua", text: script)
      }
      return try await home.graph.signUp(home.password(), by: home.anyone)
    },
    CodeExample(.invalidPlugin) { home in
      try home.plugins.load(PluginSource(name: "shop.lua", text: "return 1"))
    },
    CodeExample(.pluginFailed) { home in
      let text = """
        return provider {
          id = "shop.example", name = "Shop", hosts = { "api.shop.example" },
          credentials = { token = { token = field.secret "the token" } },
          verify = function(credential, http, settings) error "a mistake" end,
        }
        """
      try home.plugins.load(PluginSource(name: "shop.lua", text: text))
      try await home.signIn(ProviderID("shop.example"), ["token": "token"])
    },
  ]

  /// Stores and concurrent writers.
  static let stores: [CodeExample] = [
    CodeExample(.storeUnavailable) { _ in try SQLiteStore(path: "/tmp") },
    // No test loses the answer of a commit on purpose at an address that is always the same.
    CodeExample(.unsureCommit) { _ in
      let options = try ConnectionOptions(url: "postgres://ada@db.example/accounts")
      let failure = PostgresFailure(
        state: nil, message: "server closed the connection", isUncertain: true)
      throw options.translated(failure)
    },
    CodeExample(.tooMuchContention) { home in
      let ada = try await home.person()
      var caller = home.session(ada)
      caller.account = try await home.graph.account(ada, in: home.scope)
      try await home.rename(ada, "Ada")
      return try await home.graph.delete(ada, by: caller)
    },
  ]
}
