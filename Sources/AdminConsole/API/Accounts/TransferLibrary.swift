import AuthCore
import LuaPlugins
import LuaRuntime

/// Splits and moves of identities: `account:split`, `account:move`, the plans they return, and `accounts.undo`.
struct TransferLibrary {
  let session: ConsoleSession

  static let splitNames = ["identities", "fields", "uid"]

  func install(in type: inout LuaObjectType) {
    type.method("split", split)
    type.method("move", move)
  }

  func install(in accounts: inout LuaLibrary) {
    accounts.function("undo", undo)
  }

  private func split(_ call: LuaCall) throws -> [LuaValue] {
    let account = try call.object(1, as: AccountHandle.self, type: "account").ownAccount(session)
    let table = try call.table(2, "split")
    try table.refuseUnknown(Self.splitNames)
    let keys = try table.list("identities").map {
      try IdentityKey(moving: $0, of: account, field: "identities")
    }
    var rules = SplitRules(identities: keys, uid: try table.text("uid").map { AccountID($0) })
    let choices = try table.names("fields")
    for name in choices.fields.keys.sorted() {
      let field = try SplitField(named: name)
      guard let choice = choices[name].stringValue else {
        throw AuthError(
          .invalidArgument, "The choice for \(name) is a \(choices[name].typeName).", field: name,
          remedy: "Use keep, move or copy.")
      }
      rules.fields[field] = try SplitChoice(name: choice, field: field)
    }
    let asked = rules
    let plan = try session.wait { graph, scope in
      try await graph.planSplit(account.id, by: asked, in: scope)
    }
    return [try object(plan, of: account)]
  }

  private func move(_ call: LuaCall) throws -> [LuaValue] {
    let account = try call.object(1, as: AccountHandle.self, type: "account").ownAccount(session)
    let key = try IdentityKey(moving: try call.value(2), of: account, field: "identity")
    let other = try session.account(call, 3, "other")
    let plan = try session.wait { graph, scope in
      try await graph.planMove(key, from: account.id, to: other.id, in: scope)
    }
    return [try object(plan, of: account)]
  }

  /// Returns the plan as an object; throws if it concerns another account than the one that was named.
  private func object(_ plan: TransferPlan, of account: Account) throws -> LuaValue {
    guard HeldAccount(plan.source) == HeldAccount(account) else {
      throw AuthError(
        .planOutdated, "The account changed while the change was planned.",
        remedy: "Plan it again, and read it.")
    }
    return .object(LuaObject(type: "transfer", value: plan))
  }

  private func undo(_ call: LuaCall) throws -> [LuaValue] {
    let id = try call.eventID(1)
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesWithForce + ["revive"])
    let receipt = try session.change(options) { graph, caller in
      try await graph.undo(id, force: options.force, revive: options.revive, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  func install(in state: LuaState) {
    PlanObject<TransferPlan>(
      session: session, name: "transfer",
      fields: [
        "source", "target", "sourceAfter", "targetAfter", "fields", "movedIdentities",
        "cutSessions", "shutAccounts", "notes",
      ],
      accounts: ["source": { $0.source }, "target": { $0.target }], data: { $0.lua },
      makers: "account:split or account:move", options: WriteOptions.namesWithForce
    ) { graph, plan, options, caller in
      try await graph.commit(plan, force: options.force, by: caller)
    }.install(in: state)
  }
}

extension IdentityKey {
  /// Reads an identity that leaves an account: as `IdentityKey(entry:of:)`, or a provider of which it has one.
  fileprivate init(
    moving entry: LuaValue, of account: Account, field: String
  ) throws(AuthError) {
    if let name = entry.stringValue {
      let ofProvider = account.identities(of: ProviderID(name))
      if ofProvider.count > 1 {
        throw AuthError(
          .ambiguous, "The account has \(ofProvider.count) identities of \(name).", field: field,
          remedy: "Name one: \(ofProvider.map(\.key.description).joined(separator: ", ")).")
      }
      if let only = ofProvider.first {
        self = only.key
        return
      }
    }
    do throws(AuthError) { self = try IdentityKey(entry: entry, of: [account]) } catch {
      let known = account.identities.map(\.key.description).joined(separator: ", ")
      throw AuthError(
        .noSuchProvider, "The account has no such identity.", field: field,
        remedy: "Name one by its provider, as text or as { providerID = …, uid = … }: "
          + "\(known.isEmpty ? "it has none" : known).")
    }
  }
}

extension TransferPlan {
  /// The plan as data.
  var lua: LuaTable {
    LuaTable(fields: [
      "source": .table(source.lua), "target": target.map { .table($0.lua) } ?? .nil,
      "sourceAfter": .table(sourceAfter.lua), "targetAfter": .table(targetAfter.lua),
      "fields": .table(LuaTable(array: fields.map(\.lua))),
      "movedIdentities": .strings(movedIdentities.map(\.description)),
      "cutSessions": .strings(cutSessions.map(\.rawValue)),
      "shutAccounts": .strings(shutAccounts.map(\.rawValue)), "notes": .strings(notes),
    ])
  }
}

extension TransferPlan.FieldOutcome {
  fileprivate var lua: LuaValue {
    [
      "field": .string(field.rawValue), "before": .optional(before), "source": .optional(source),
      "target": .optional(target), "rule": .string(rule),
    ]
  }
}
