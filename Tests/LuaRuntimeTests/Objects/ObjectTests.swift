import LuaRuntime
import Testing

private struct Account: Sendable, Equatable {
  var uid: String
  var email: String
}

/// Makes a console with accounts and providers, as an admin sees them.
func console(print: ((String) -> Void)? = nil) throws -> LuaState {
  let state = try LuaState(
    profile: .console,
    configuration: .init(print: print.map { sink in { sink(String(decoding: $0, as: UTF8.self)) } })
  )
  var account = LuaObjectType(
    name: "account", fields: ["uid", "email"], fieldTypes: ["owner": "account"])
  account.get = { _, object, field in
    guard let account = object.value as? Account else { return nil }
    switch field {
    case "uid": return .values([.string(account.uid)])
    case "email": return .values([.string(account.email)])
    default: return nil
    }
  }
  account.method("rename") { call in
    let account = try call.object(1, as: Account.self, type: "account")
    let email = try call.string(2, "email")
    return [
      .object(
        LuaObject(
          type: "account", value: Account(uid: account.uid, email: email), identity: account.uid))
    ]
  }
  account.asyncMethod("history") { arguments in
    await Task.yield()
    return [.integer(Int64(arguments.count))]
  }
  account.describe = { "account \(($0.value as? Account)?.uid ?? "?")" }
  account.length = { _ in 2 }
  account.items = { [("uid", .string(($0.value as? Account)?.uid ?? ""))] }
  account.refusesSet = "account is read-only; use account:update { email = … }"
  state.define(account)

  var accounts = LuaLibrary(name: "accounts")
  accounts.function("get") { call in
    let uid = try call.string(1, "key")
    return [
      .object(
        LuaObject(
          type: "account", value: Account(uid: uid, email: "\(uid)@x.org"), identity: uid))
    ]
  }
  accounts.function("count") { _ in [2] }
  try state.set("accounts", to: state.library(accounts))

  var providers = LuaLibrary(name: "providers")
  providers.function("list") { _ in [["google.com", "github.com"]] }
  providers.get = { _, key in
    ["google.com", "github.com"].contains(key) ? .values([.string("provider \(key)")]) : nil
  }
  providers.keys = { ["google.com", "github.com"] }
  try state.set("providers", to: state.library(providers))
  return state
}

@Suite struct ObjectTests {
  let state: LuaState
  init() throws { state = try console() }

  @Test func `fields and methods of an object are reached`() throws {
    let values = try evaluate(
      state,
      """
      local a = accounts.get 'u1'
      return a.email, a:rename('new@x.org').email, tostring(a), #a, type(a)
      """)

    #expect(values == ["u1@x.org", "new@x.org", "account u1", 2, "userdata"])
  }

  @Test func `an unknown field suggests the nearest`() throws {
    #expect(
      try failure(state, "return accounts.get('u1').emial").message
        == "no field 'emial' on account; did you mean 'email'?")
    #expect(
      try failure(state, "accounts.gte 'x'").message
        == "no field 'gte' in accounts; did you mean 'get'?")
    #expect(
      try failure(state, "return providers['gogle.com']").message
        == "no field 'gogle.com' in providers; did you mean 'google.com'?")
  }

  @Test func `dynamic keys are read`() throws {
    #expect(try evaluate(state, "return providers['google.com']") == ["provider google.com"])
  }

  @Test func `writing is refused with a reason`() throws {
    #expect(
      try failure(state, "accounts.get('u1').email = 'x'").message
        == "account is read-only; use account:update { email = … }")
    #expect(try failure(state, "accounts.get = nil").message == "accounts is read-only")
  }

  @Test func `objects compare by what they are`() throws {
    #expect(
      try evaluate(
        state, "return accounts.get 'a' == accounts.get 'a', accounts.get 'a' == accounts.get 'b'")
        == [true, false])
  }

  @Test func `pairs goes through what an object lists`() throws {
    #expect(
      try evaluate(state, "for k, v in pairs(accounts.get 'u9') do return k, v end") == [
        "uid", "u9",
      ])
  }

  @Test func `methods may wait`() async throws {
    let chunk = try state.load("return accounts.get('a'):history(1, 2)", name: "test")

    #expect(try await state.run(chunk) == [3])
  }

  @Test func `a method called with a dot is an error that names the colon`() throws {
    #expect(
      try failure(state, "accounts.get('a').rename('x')").message
        == "invalid-argument: bad argument 1 to 'account:rename' (account expected, got string).")
  }

  @Test func `the metatables of objects stay hidden`() throws {
    #expect(try evaluate(state, "return getmetatable(accounts)") == [false])
    #expect(
      try evaluate(state, "return pcall(setmetatable, accounts, {})").first == false)
  }

  @Test func `an unknown global is explained`() throws {
    let error = try failure(state, "return acounts.get 'x'")

    #expect(error.message.contains("did you mean 'accounts'?"))
  }

  @Test func `an object of an undefined type is refused`() throws {
    let object = LuaValue.object(LuaObject(type: "plan", value: 1))

    #expect(throws: LuaError.self) { try state.set("plan", to: object) }
  }
}
