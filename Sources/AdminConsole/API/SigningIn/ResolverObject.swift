import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput

/// The resolver that `auth.signIn` and `account:link` return if a second factor is required.
struct ResolverObject {
  let session: ConsoleSession

  func install(in state: LuaState) {
    var type = LuaObjectType(name: "resolver", fields: ["hints", "expiresAt"])
    type.get = { _, object, field in
      guard let view = object.value as? ResolverView else { return nil }
      if ["account", "isNewUser", "receipt", "trace"].contains(field) { throw Self.notYet }
      let value = view.lua[field]
      return value.isNil ? nil : .values([value])
    }
    type.describesInLines = true
    type.describe = { ($0.value as? ResolverView)?.shortText ?? "resolver" }
    type.method("challenge", challenge)
    type.method("resolve", resolve)
    state.define(type)
  }

  /// The error for a script that was written for accounts without second factors.
  private static let notYet = AuthError(
    .secondFactorRequired, "The sign-in waits for a second factor.",
    remedy:
      "Choose a hint with resolver:challenge(1), then show its code with resolver:resolve(code).")

  /// Chooses a hint by its position or ID, and sends the code of a text-message factor.
  private func challenge(_ call: LuaCall) throws -> [LuaValue] {
    let view = try call.object(1, as: ResolverView.self, type: "resolver")
    let hint = try view.hint(call)
    let challenge = try session.change(WriteOptions(call, 3), holding: view.holds) {
      graph, caller in
      try await graph.challenge(hint.id, of: view.resolver, by: caller)
    }
    view.chosen.withLockedValue { $0 = challenge }
    return [.string("\(challenge.factor)")]
  }

  /// Verifies the code of the chosen factor.
  ///
  /// A single factor is chosen automatically, unless it is a phone.
  private func resolve(_ call: LuaCall) throws -> [LuaValue] {
    let view = try call.object(1, as: ResolverView.self, type: "resolver")
    let code = try call.secretText(2, "code")
    let assertion = try view.assertion(code)
    let result = try session.change(WriteOptions(call, 3), holding: view.holds) { graph, caller in
      try await graph.resolve(view.resolver, with: assertion, by: caller)
    }
    return [session.lua(result)]
  }
}

/// A resolver as a script holds it, with the last chosen factor.
final class ResolverView: Sendable {
  let resolver: SecondFactorResolver
  let chosen = NIOLockedValueBox<SecondFactorChallenge?>(nil)

  /// The account of the waiting operation, if the script named one.
  let holds: [HeldAccount]

  init(_ resolver: SecondFactorResolver, holding holds: [HeldAccount]) {
    self.holds = holds
    self.resolver = resolver
  }

  var object: LuaValue { .object(LuaObject(type: "resolver", value: self)) }

  var lua: LuaTable {
    LuaTable(fields: [
      "hints": .table(LuaTable(array: resolver.hints.map(\.lua))),
      "expiresAt": .string(resolver.expiresAt.text),
    ])
  }

  var shortText: String {
    let hints = resolver.hints.enumerated().map {
      "  \($0 + 1)  " + VisibleText.oneLine("\($1)")
    }
    return
      (["a second factor is asked for: resolver:challenge(number), then resolver:resolve(code)"]
      + hints).joined(separator: "\n")
  }

  func hint(_ call: LuaCall) throws -> SecondFactorInfo {
    if call.typeName(2) == "number" {
      let index = try call.integer(2, "hint")
      if index >= 1, index <= resolver.hints.count { return resolver.hints[Int(index) - 1] }
    } else {
      let id = try call.string(2, "hint")
      if let hint = resolver.hints.first(where: { $0.id == id }) { return hint }
    }
    throw AuthError(
      .multiFactorInfoNotFound, "There are \(resolver.hints.count) hints.", field: "hint",
      remedy: "Choose one by its place or its uid.")
  }

  func assertion(_ code: Secret<String>) throws -> SecondFactorAssertion {
    if let chosen = chosen.withLockedValue({ $0 }) {
      guard let verificationID = chosen.verificationID else {
        return .totp(factorID: chosen.factor.id, code: code)
      }
      return .phone(verificationID: verificationID, code: code)
    }
    if let only = resolver.hints.first, resolver.hints.count == 1, only.factorID == "totp" {
      return .totp(factorID: only.id, code: code)
    }
    throw AuthError(
      .invalidArgument, "No second factor was chosen.", field: "hint",
      remedy: "Choose one first: resolver:challenge(1).")
  }
}

extension SecondFactorInfo {
  /// One entry of `hints`; numbers are masked.
  fileprivate var lua: LuaValue {
    [
      "uid": .string(id), "factorID": .string(factorID),
      "displayName": displayName.map { .string($0) } ?? .nil,
      "enrolledAt": enrolledAt.map { .string($0) } ?? .nil,
      "phoneNumber": phoneNumber.map { .string($0) } ?? .nil,
    ]
  }
}
