import AuthCore
import LuaRuntime

/// The `auth` library: signs in as a client would, for inspection.
struct AuthLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var auth = LuaLibrary(name: "auth")
    auth.function("signIn") { call in
      try session.cannotRehearse("auth.signIn")
      return try enter(call) { graph, credential, caller in
        try await graph.signIn(credential, by: caller)
      }
    }
    auth.function("signUp") { call in
      try session.cannotRehearse("auth.signUp")
      return try enter(call) { graph, credential, caller in
        try await graph.signUp(credential, by: caller)
      }
    }
    auth.function("sendCode", sendCode)
    auth.function("authorize", authorize)
    auth.function("callback", callback)
    try state.set("auth", to: state.library(auth))
    ResolverObject(session: session).install(in: state)
  }

  private func enter(
    _ call: LuaCall,
    _ body: @escaping @Sendable (AccountGraph, Credential, Caller) async throws -> SignInResult
  ) throws -> [LuaValue] {
    let credential = try call.object(1, as: Credential.self, type: "credential")
    let options = try WriteOptions(call, 2)
    return [
      try session.resolvable {
        let result = try session.change(options) { graph, caller in
          try await body(graph, credential, caller)
        }
        if result.isNewUser && !options.dryRun { session.made(result.account.id) }
        return session.lua(result)
      }
    ]
  }

  /// Sends a provider's code or link to a recipient: `sendCode("phone", "+1…")`.
  private func sendCode(_ call: LuaCall) throws -> [LuaValue] {
    let provider = ProviderID(try call.string(1, "providerID"))
    var request = ChallengeRequest(recipient: try call.string(2, "recipient"))
    let table = try call.options(3)
    let fields = ["account", "continueURL"]
    try table.refuseUnknown(fields + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: fields, call, 4)
    var holds: [HeldAccount] = []
    if let handle = table["account"].objectValue?.value as? AccountHandle {
      holds = [handle.held]
      request.account = handle.id
    } else {
      request.account = try table.text("account").map { try session.account(matching: $0).id }
    }
    request.continueURL = try table.text("continueURL")
    let wanted = request
    let challenge = try session.change(options, holding: holds) { graph, caller in
      try await graph.sendChallenge(provider, wanted, by: caller)
    }
    return [
      [
        "verificationID": .string(challenge.verificationID),
        "expiresAt": .string(challenge.expiresAt.text),
      ]
    ]
  }

  /// Begins a sign-in in a browser: `authorize("google.com", { redirectURI = … })` returns the URL to open.
  private func authorize(_ call: LuaCall) throws -> [LuaValue] {
    let provider = ProviderID(try call.string(1, "providerID"))
    let table = try call.table(2, "options")
    let fields = ["redirectURI", "scopes"]
    try table.refuseUnknown(fields + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: fields, call, 3)
    guard let redirectURI = try table.text("redirectURI") else {
      throw AuthError(
        .invalidArgument, "redirectURI, the app's callback address, is missing.",
        field: "redirectURI",
        remedy: "Write redirectURI = \"https://…\", the address registered at the vendor.")
    }
    let scopes = try table.list("scopes").compactMap(\.stringValue)
    let browser = session.browser
    let begun = try session.change(options) { graph, caller in
      try await graph.beginAuthorization(
        provider, redirectURI: redirectURI, session: browser, scopes: scopes, by: caller)
    }
    return [.string(begun.url)]
  }

  /// Takes the URL to which the browser was redirected: `callback("google.com", "https://…?code=…&state=…")`.
  private func callback(_ call: LuaCall) throws -> [LuaValue] {
    let provider = ProviderID(try call.string(1, "providerID"))
    let url = try call.string(2, "url")
    let options = try WriteOptions(call, 3)
    guard let parameters = URLText.query(of: url) else {
      throw AuthError(
        .invalidArgument, "The text is not a URL with a query.", field: "url",
        remedy: "Copy the whole address from the browser after the sign-in.")
    }
    let browser = session.browser
    let redirectURI = String(url.prefix { $0 != "?" })
    let authorized = try session.change(options) { graph, caller in
      try await graph.finishAuthorization(
        provider, callback: parameters, redirectURI: redirectURI, session: browser, by: caller)
    }
    return [.object(LuaObject(type: "credential", value: authorized.credential))]
  }
}

extension ConsoleSession {
  /// Returns a sign-in's result as a script sees it.
  func lua(_ result: SignInResult) -> LuaValue {
    [
      "account": object(result.account), "isNewUser": .bool(result.isNewUser),
      "receipt": .object(LuaObject(type: "receipt", value: result.receipt)),
      "trace": .object(LuaObject(type: "trace", value: TraceView(result.receipt))),
    ]
  }

  /// Runs an operation that may require a second factor; returns the resolver if it does.
  func resolvable(
    holding holds: [HeldAccount] = [], _ body: () throws -> LuaValue
  ) throws -> LuaValue {
    do {
      return try body()
    } catch let error as AuthError {
      guard let resolver = error.resolver else { throw error }
      return ResolverView(resolver, holding: holds).object
    }
  }
}
