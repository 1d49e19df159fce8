import AuthCore
import LuaPlugins
import LuaRuntime

/// The `merge` library: plans, commits, undoes and lists merges, and those that a policy offers.
struct MergeLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let batches = MergeBatchLibrary(session: session)
    object.install(in: state)
    batches.install(in: state)
    var merge = LuaLibrary(name: "merge")
    merge.function("plan", plan)
    merge.function("undo", undo)
    merge.function("list", list)
    merge.function("offers", offers)
    merge.function("planOffer", planOffer)
    batches.add(to: &merge)
    try state.set("merge", to: state.library(merge))
  }

  private func plan(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.options(3)
    try Self.refuseFieldsOutside(options)
    try options.refuseUnknown(["fields", "dropIdentities"])
    let asksFunctions =
      options["fields"].tableValue?.fields.values.contains {
        $0.functionValue != nil || $0.tableValue != nil
      } == true
    // Functions must see the same accounts as the plan.
    if asksFunctions { session.refresh() }
    let keep = try account(call, 1, "keep")
    let absorb = try account(call, 2, "absorb")
    let rules = try MergeRules(options, keep: keep, absorb: absorb, call.state)
    let plan = try session.wait { graph, scope in
      try await graph.planMerge(keep: keep.id, absorb: absorb.id, rules: rules, in: scope)
    }
    try Self.check(plan, keep, absorb, exactly: asksFunctions)
    return [.object(LuaObject(type: "plan", value: plan))]
  }

  /// Throws `invalid-argument` for the rule of a field that stands beside `fields` instead of in it.
  private static func refuseFieldsOutside(_ options: LuaTable) throws(AuthError) {
    for name in options.fields.keys.sorted() where MergeField(rawValue: name) != nil {
      throw AuthError(
        .invalidArgument, "The rule for \(name) is outside of fields.", field: name,
        remedy: "Write it inside fields: { fields = { \(name) = … } }.")
    }
  }

  /// Returns the account that an argument means.
  ///
  /// An absorbed uid is refused.
  private func account(_ call: LuaCall, _ index: Int, _ name: String) throws -> Account {
    guard call.typeName(index) == "string" else {
      return try call.object(index, as: AccountHandle.self, type: "account").ownAccount(session)
    }
    let account = try session.account(call, index, name)
    let id = AccountID(try call.string(index, name))
    if id != account.id, let survivor = try session.wait({ try await $0.account(id, in: $1) }) {
      throw AuthError.wasMerged(id, into: survivor.id)
    }
    return account
  }

  /// Throws if the plan concerns other accounts than those that were named or passed to functions.
  private static func check(
    _ plan: MergePlan, _ keep: Account, _ absorb: Account, exactly: Bool
  ) throws(AuthError) {
    let isOfThem =
      HeldAccount(plan.survivor) == HeldAccount(keep)
      && HeldAccount(plan.absorbed) == HeldAccount(absorb)
    let isAsAsked =
      plan.survivor.revision == keep.revision && plan.absorbed.revision == absorb.revision
    guard isOfThem, isAsAsked || !exactly else {
      throw AuthError(
        .planOutdated, "An account changed while the merge was planned.",
        remedy: "Plan it again with merge.plan, and read it.")
    }
  }

  private func undo(_ call: LuaCall) throws -> [LuaValue] {
    let id = try call.eventID(1)
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesOfUndo + ["revive"])
    let receipt = try session.change(options) { graph, caller in
      try await graph.undoMerge(
        id, force: options.force, revive: options.revive, keep: options.keep, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  private func list(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.filter(1, ["account", "batch", "limit"], all: "merges")
    let limit = try options.limit()
    var account: AccountID?
    if let handle = options["account"].objectValue?.value as? AccountHandle {
      account = handle.id
    } else if let key = try options.text("account") {
      account = try session.account(matching: key).id
    }
    let id = account
    if let batch = try options.text("batch") { return try list(batch, of: id, limit: limit) }
    let merges = try session.whole(limit: limit) { graph, scope, last, count in
      try await graph.merges(involving: id, before: last?.id, limit: count, in: scope)
    } as: { (merge: MergeRecord) in
      .table(merge.lua)
    }
    return [.table(LuaTable(array: merges))]
  }

  /// Lists the merges of a batch, newest first.
  private func list(_ batch: String, of account: AccountID?, limit: Int?) throws -> [LuaValue] {
    let (_, entries) = try session.wait { try await $0.mergeBatch(batch, in: $1) }
    let ids = entries.reversed().filter { entry in
      account.map { [entry.keep, entry.absorb].contains($0) } ?? true
    }.prefix(limit ?? .max).map(\.id)
    let records = try session.wait { try await $0.merges(ids, in: $1) }
    return [.table(LuaTable(array: records.map { .table($0.lua) }))]
  }

  private func offers(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.options(1)
    try options.refuseUnknown(["limit"])
    let limit = try options.limit() ?? AccountGraph.eventsWithOffers
    let page = try session.wait { graph, scope in
      try await graph.mergeOffers(limit: limit, in: scope)
    }
    let searched = AccountGraph.eventsWithOffers
    return CutList(
      page.offers.map { .table($0.lua) },
      cut: page.isCut
        ? "These are the offers among the newest \(searched) events; older ones were not searched."
        : nil
    ).results(of: session)
  }

  /// Asks the policy about an offer again and returns the resulting plan.
  private func planOffer(_ call: LuaCall) throws -> [LuaValue] {
    let id = try call.eventID(1)
    let plan = try session.wait { graph, scope in try await graph.plan(id, in: scope) }
    return [.object(LuaObject(type: "plan", value: plan))]
  }

  private var object: PlanObject<MergePlan> {
    PlanObject(
      session: session, name: "plan",
      fields: [
        "survivor", "absorbed", "result", "fields", "movedIdentities", "droppedIdentities",
        "cutSessions", "notes", "decidedBy",
      ],
      accounts: ["survivor": { $0.survivor }, "absorbed": { $0.absorbed }], data: { $0.lua },
      makers: "merge.plan", options: WriteOptions.names
    ) { graph, plan, _, caller in try await graph.commit(plan, by: caller) }
  }
}

extension MergeRules {
  /// Reads the options of `merge.plan`: a rule by name, a function of both values, rules by claim, or
  /// `{ value = … }`.
  init(
    _ options: LuaTable, keep: Account, absorb: Account, _ state: LuaState
  ) throws {
    self.init()
    let rules = try options.names("fields")
    for name in rules.fields.keys.sorted() {
      let rule = rules[name]
      let field = try MergeField(named: name)
      if let ruleName = rule.stringValue {
        fields[field] = try FieldRule(name: ruleName, field: field)
        continue
      }
      if field == .customClaims, let claims = rule.tableValue, claims["value"].isNil {
        fields[field] = .value(
          try ClaimRules(claims).decided(keep, absorb) { function, values in
            try state.call(function, values)
          })
        continue
      }
      var value = rule.tableValue?["value"] ?? .nil
      if let function = rule.functionValue {
        value =
          try state.call(
            function, [keep.lua[name], absorb.lua[name], .table(keep.lua), .table(absorb.lua)]
          ).first ?? .null
      }
      guard rule.functionValue != nil || rule.tableValue?["value"].isNil == false,
        let json = JSONValue(value)
      else {
        throw AuthError(
          .invalidArgument, "The rule for \(name) is a \(rule.typeName).", field: name,
          remedy: "Give a rule's name, a function of both values, or { value = … }.")
      }
      fields[field] = .value(json)
    }
    droppedIdentities = try options.list("dropIdentities").map {
      try IdentityKey(entry: $0, of: [keep, absorb])
    }
  }
}

extension MergePlan {
  /// The plan as data.
  var lua: LuaTable {
    LuaTable(fields: [
      "survivor": .table(survivor.lua), "absorbed": .table(absorbed.lua),
      "result": .table(result.lua),
      "fields": .table(LuaTable(array: fields.map(\.lua))),
      "movedIdentities": .strings(movedIdentities.map(\.description)),
      "droppedIdentities": .strings(droppedIdentities.map(\.description)),
      "cutSessions": .strings(cutSessions.map(\.rawValue)),
      "notes": .strings(notes), "decidedBy": .string(decidedBy),
    ])
  }
}

extension MergePlan.FieldOutcome {
  fileprivate var lua: LuaValue {
    [
      "field": .string(field.rawValue), "kept": .optional(kept), "other": .optional(other),
      "result": .optional(result), "rule": .string(rule), "differs": .bool(differs),
    ]
  }
}

extension MergeOffer {
  fileprivate var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(id), "at": .string(at.text), "policy": .string(policy),
      "survivor": .string(survivor.rawValue), "absorbed": .string(absorbed.rawValue),
      "conflict": .string(code.rawValue), "provider": .string(provider.rawValue),
      "notShown": .strings(notShown), "reason": .optional(reason),
    ])
  }
}

extension MergeRecord {
  /// The journal entry as data.
  fileprivate var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(id), "at": .string(at.text), "survivor": .string(survivor.rawValue),
      "absorbed": .string(absorbed.rawValue), "actor": .string(actor),
      "reason": .optional(reason), "batch": .optional(batch), "undoneBy": .optional(undoneBy),
      "endedAt": .optional(endedAt?.text),
    ])
  }
}
