import AuthCore
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// The `account.multiFactor` object: an account's second factors and an admin's operations on them.
struct MultiFactorObject {
  let session: ConsoleSession

  func install(in state: LuaState) {
    var type = LuaObjectType(name: "multiFactor", fields: ["enrolledFactors"])
    type.get = { _, object, field in
      guard let view = object.value as? MultiFactorView, field == "enrolledFactors" else {
        return nil
      }
      return .values([view.factors(try view.handle.account(session))])
    }
    type.length = { object in
      (object.value as? MultiFactorView)?.handle.current(session).account?.secondFactors.count ?? 0
    }
    type.describesInLines = true
    type.describe = { object in
      guard let view = object.value as? MultiFactorView else { return "multiFactor" }
      let standing = view.handle.current(session)
      guard let account = standing.account else { return standing.shortText(of: view.handle.id) }
      let factors = account.secondFactors.map { SecondFactorInfo($0) }
      return factors.isEmpty
        ? "no second factors"
        : factors.map { VisibleText.oneLine("\($0.id)  \($0)") }.joined(separator: "\n")
    }
    type.method("enroll", enroll)
    type.method("unenroll", unenroll)
    type.method("recover", recover)
    state.define(type)
    EnrollmentObject(session: session).install(in: state)
  }

  static func object(_ handle: AccountHandle) -> LuaValue {
    .object(
      LuaObject(
        type: "multiFactor", value: MultiFactorView(handle: handle), identity: handle.identity))
  }

  /// Begins an enrolment: `enroll "totp"`, or `enroll { phoneNumber = "+1…" }`.
  private func enroll(_ call: LuaCall) throws -> [LuaValue] {
    let held = try view(call).handle.held
    if call.typeName(2) == "table" {
      let table = try call.table(2, "factor")
      try table.refuseUnknown(["phoneNumber"] + WriteOptions.names)
      let options = try WriteOptions(merging: table, fields: ["phoneNumber"], call, 3)
      guard let text = try table.text("phoneNumber") else {
        throw call.argumentError(2, "\"totp\" or { phoneNumber = \"+1…\" }", name: "factor")
      }
      let number = try PhoneNumber(normalizing: text)
      let open = try session.change(options, holding: [held]) { graph, caller in
        try await graph.beginPhoneEnrollment(of: number, for: held.id, by: caller)
      }
      return [EnrollmentView(open, totp: nil, of: held).object]
    }
    guard try call.string(2, "factor") == "totp" else {
      throw call.argumentError(2, "\"totp\" or { phoneNumber = \"+1…\" }", name: "factor")
    }
    let open = try session.change(WriteOptions(call, 3), holding: [held]) { graph, caller in
      try await graph.beginTOTPEnrollment(for: held.id, by: caller)
    }
    return [EnrollmentView(open.enrollment, totp: open, of: held).object]
  }

  private func unenroll(_ call: LuaCall) throws -> [LuaValue] {
    let handle = try view(call).handle
    let options = try WriteOptions(call, 3)
    let factorID: String
    if call.typeName(2) == "number" {
      let index = try call.integer(2, "factor")
      let factors = try handle.ownAccount(session).secondFactors
      guard index >= 1, index <= factors.count else {
        throw AuthError(
          .multiFactorInfoNotFound, "The account has \(factors.count) second factors.",
          field: "factor", remedy: "Name one of enrolledFactors by its uid or its place.")
      }
      factorID = factors[Int(index) - 1].id
    } else {
      factorID = try call.string(2, "factor")
    }
    let receipt = try session.change(options, holding: [handle.held]) { graph, caller in
      try await graph.unenroll(factorID, of: handle.id, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  /// Removes all factors.
  ///
  /// The reason is required here, because the console's default explains nothing.
  private func recover(_ call: LuaCall) throws -> [LuaValue] {
    let held = try view(call).handle.held
    let options = try WriteOptions(call, 2)
    let reason = options.reason ?? session.givenReason
    let receipt = try session.change(options, holding: [held]) { graph, caller in
      var caller = caller
      caller.reason = reason
      return try await graph.recover(held.id, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  private func view(_ call: LuaCall) throws -> MultiFactorView {
    try call.object(1, as: MultiFactorView.self, type: "multiFactor")
  }
}

/// The second factors of an account as a script holds them.
struct MultiFactorView: Sendable {
  let handle: AccountHandle

  /// Returns the factors as data; for an account that is gone, its fate.
  func lua(_ session: ConsoleSession) -> LuaTable {
    let standing = handle.current(session)
    guard let account = standing.account else { return standing.lua(of: handle.id) }
    return LuaTable(fields: ["enrolledFactors": factors(account)])
  }

  func factors(_ account: Account) -> LuaValue {
    AccountField.multiFactor.value(of: account).tableValue?["enrolledFactors"] ?? .nil
  }
}
