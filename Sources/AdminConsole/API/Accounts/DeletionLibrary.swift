import AuthCore
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// Deleting accounts, and restoring them: `account:delete`, `account:restore`, `accounts.restore` and `accounts.purge`.
struct DeletionLibrary {
  let session: ConsoleSession

  func install(in type: inout LuaObjectType) {
    type.change("delete", delete)
    type.change("restore") { call in
      let held = try call.object(1, as: AccountHandle.self, type: "account").held
      return try restore(held.id, of: held, call)
    }
  }

  func install(in accounts: inout LuaLibrary) {
    accounts.function("restore") { call in
      let id = try uid(call)
      return try AccountRefusal.naming(id) { try restore(id, of: nil, call) }
    }
    accounts.function("purge") { call in
      let id = try uid(call)
      let receipt = try AccountRefusal.naming(id) {
        try session.change(WriteOptions(call, 2)) { graph, caller in
          try await graph.purge(id, by: caller)
        }
      }
      return [.object(LuaObject(type: "receipt", value: receipt))]
    }
  }

  private func delete(_ call: LuaCall) throws -> [LuaValue] {
    let held = try call.object(1, as: AccountHandle.self, type: "account").held
    var options = try WriteOptions(call, 2, allowing: WriteOptions.namesOfDeletion)
    let restorable = !options.forever
    try session.requireWriting(options)
    options.reason = options.reason ?? session.givenReason
    if !options.dryRun { try ask(held, &options) }
    let reason = options.reason
    let receipt = try session.change(options, holding: [held]) { graph, caller in
      var caller = caller
      if !caller.dryRun {
        // The console's default explains nothing.
        caller.reason = reason
        try caller.requireReasonForDeletion()
      }
      let receipt = try await graph.delete(held.id, restorable: restorable, by: caller)
      // Many stores have no server that sweeps merges.
      if !caller.dryRun { _ = try? await graph.sweepMerges() }
      return receipt
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  private func restore(_ id: AccountID, of held: HeldAccount?, _ call: LuaCall) throws -> [LuaValue]
  {
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesWithForce)
    let receipt = try session.change(options) { graph, caller in
      try await graph.restore(id, force: options.force, of: held, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  /// The uid of an argument: a text, or the object of a deleted account.
  private func uid(_ call: LuaCall) throws -> AccountID {
    if call.typeName(1) == "string" { return AccountID(try call.string(1, "uid")) }
    return try call.object(1, as: AccountHandle.self, type: "account").id
  }

  /// Asks an admin at a terminal whether to delete an account, and for the reason if there is none yet.
  private func ask(_ held: HeldAccount, _ options: inout WriteOptions) throws {
    guard session.output.look.isConversation else { return }
    func ask(_ question: String) throws -> String {
      try session.host.answer(question, unless: session.isInterrupted)
    }
    if !session.agreesToDeletions {
      switch Consent(try ask(question(held, options))) {
      case .given: break
      case .givenForAll: session.agreesToDeletions = true
      case .refused: throw AuthError(.operationNotAllowed, "Nothing was deleted.")
      }
    }
    if options.reason == nil { options.reason = try ask("Reason: ") }
  }

  private func question(_ held: HeldAccount, _ options: WriteOptions) throws -> String {
    var rehearsal = options
    rehearsal.dryRun = true
    let (restorable, id) = (!options.forever, held.id)
    let receipt = try session.change(rehearsal, holding: [held]) { graph, caller in
      try await graph.delete(id, restorable: restorable, by: caller)
    }
    let account = try session.account(matching: id.rawValue)
    var lines = ["Delete \(account.shortText)?"]
    for (name, texts) in receipt.losses?.lists ?? [] {
      lines.append("  \(name): \(texts.joined(separator: ", "))")
    }
    let zone = session.output.profile.zone
    lines.append(
      receipt.losses?.restorableUntil.map {
        "It can be restored until \($0.textWithZone(zone)): accounts.restore \"\(id)\"."
      } ?? "It cannot be restored.")
    // A name in the account must not draw on the terminal.
    return lines.map(VisibleText.oneLine).joined(separator: "\n") + "\nDelete it? [y/N, a for all] "
  }
}
