import AuthCore
import Crypto
import LuaRuntime

/// The functions that make an answer, `identity`, `refuse` and `once`, and `pick` for reading.
struct IdentityLibrary {
  let box: SessionBox

  func install(in state: LuaState) throws(LuaError) {
    var type = LuaObjectType(name: "identity")
    type.describe = { ($0.value as? PluginIdentity).map { "identity \($0.subject)" } ?? "identity" }
    state.define(type)
    try add("identity", state, identity)
    try add("refuse", state) { call in
      let refusal = try Self.refusal(call)
      return try box.required("refuse").failing { throw refusal }
    }
    try add("once", state, once)
    try add("pick", state, Self.pick)
  }

  private func add(
    _ name: String, _ state: LuaState,
    _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) throws(LuaError) {
    try state.set(name, to: .function(state.function(named: name, body)))
  }

  private static let fields = PluginDeclaration.MappedField.allCases.map(\.rawValue) + ["claims"]

  private func identity(_ call: LuaCall) throws -> [LuaValue] {
    _ = try box.required("identity")
    let table = try call.table(1, "identity")
    if let unknown = table.fields.keys.sorted().first(where: { !Self.fields.contains($0) }) {
      throw call.argumentError(
        1, "an identity has no \"\(unknown)\"; \(hint(for: unknown, among: Self.fields))")
    }
    var identity = PluginIdentity(
      subject: try PluginIdentity.subject(JSONValue(table["subject"]) ?? .bool(false)))
    if let former = JSONValue(table["formerSubjects"]) {
      identity.formerSubjects = try PluginIdentity.formerSubjects([former])
    }
    let text = { (name: String) in
      PersonName.said(JSONValue(table[name]))
    }
    identity.email = text("email")
    identity.emailVerified = table["emailVerified"].boolValue == true
    identity.displayName = text("displayName")
    identity.photoURL = text("photoURL")
    identity.screenName = text("screenName")
    identity.phoneNumber = text("phoneNumber")
    guard let claims = JSONValue(table["claims"]) else {
      throw call.argumentError(
        1, "claims holds a value that JSON does not have, such as a secret or a function")
    }
    identity.claims = claims
    return [.object(LuaObject(type: "identity", value: identity))]
  }

  /// The error with which `refuse` ends the sign-in.
  private static func refusal(_ call: LuaCall) throws -> AuthError {
    if call.typeName(1) == "string" {
      return AuthError(
        .invalidCredential, sentence(try call.string(1, "why")),
        remedy: "Sign in with the provider again.", step: .profile)
    }
    let table = try call.table(1, "why")
    let names = ["field", "remedy", "step"]
    if let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw call.argumentError(
        1, "refuse has no \"\(unknown)\"; \(hint(for: unknown, among: names))")
    }
    let steps: [FlowStep] = [.credential, .state, .exchange, .token, .profile]
    let step = table["step"].stringValue.map { FlowStep(rawValue: $0) } ?? .profile
    guard let why = table[1].stringValue, let step, steps.contains(step) else {
      throw call.argumentError(
        1,
        "refuse { \"why\", step = … } takes the steps "
          + steps.map(\.rawValue).joined(separator: ", "))
    }
    return AuthError(
      .invalidCredential, sentence(why),
      field: table["field"].stringValue.map(TextBounds(bytes: 100).cut),
      remedy: table["remedy"].stringValue.map(sentence) ?? "Sign in with the provider again.",
      step: step)
  }

  private static func sentence(_ text: String) -> String {
    let bounded = TextBounds(characters: 300, bytes: 1200).cut(text)
    return bounded.hasSuffix(".") ? bounded : bounded + "."
  }

  /// `once(name, seconds)`: consumes a one-time use together with the sign-in.
  private func once(_ call: LuaCall) throws -> [LuaValue] {
    let session = try box.required("once")
    let name = try call.string(1, "name")
    let seconds = try call.integer(2, "seconds")
    guard !name.isEmpty, (1...31_536_000).contains(seconds) else {
      throw call.argumentError(2, "a name and 1 to 31536000 seconds expected")
    }
    let digest = Base64.url.text(SHA256.hash(data: Array(name.utf8)))
    session.use([
      OneTimeUse(
        "plugin:\(session.declaration.id):\(digest)",
        expiresAt: session.now.adding(seconds: seconds))
    ])
    return []
  }

  /// `pick(value, path)`: nil if a step of the path is missing.
  private static func pick(_ call: LuaCall) throws -> [LuaValue] { [try value(call, at: 2)] }

  /// The value at an argument's path in the first argument; nil if a step is missing.
  static func value(_ call: LuaCall, at index: Int) throws -> LuaValue {
    let text = try call.string(index, "path")
    guard text.utf8.count <= 256 else { throw call.argumentError(index, "the path is too long") }
    try call.charge(text.utf8.count)
    guard let path = PluginPath(text) else {
      throw call.argumentError(
        index,
        "\"\(text)\" is no path such as data.id, images[1].url or emails[primary=true].email")
    }
    try requireAnswer(call)
    guard !call.isNil(1), call.typeName(1) == "table" else { return .nil }
    var value = LuaValue.reference(try call.reference(1))
    for step in path.steps {
      guard let table = value.referenceValue, table.typeName == "table" else { return .nil }
      switch step {
      case .name(let name): value = call.state.field(name, of: table)
      case .position(let position): value = call.state.element(position, of: table)
      case .filter(let conditions): value = try conditions.firstMatch(in: table, call)
      }
    }
    if case .null = value { return .nil }
    return value
  }

  /// Refuses a host object in place of a table: a response whose JSON was not read, or a secret.
  private static func requireAnswer(_ call: LuaCall) throws {
    let type = call.typeName(1)
    guard type == "response" || type == LuaSecret.typeName else { return }
    let hint = type == "response" ? "; read it with :json(), as in http.get(…):json()" : ""
    throw call.argumentError(1, "table expected, got \(type)\(hint)")
  }
}
