import AuthCore
import NIOConcurrencyHelpers

/// Records every commit, and derives the state that the accounts must have.
final class CommitLedger: Sendable {
  /// An event, with its account after the change.
  struct Entry: Sendable {
    let event: AuditEvent
    let account: Account?
  }

  struct Contents: Sendable {
    var accounts: [AccountID: Account] = [:]
    var aliases: [AccountID: AccountID] = [:]
    var entries: [String: Entry] = [:]
    /// The IDs of the events in the order of their commits.
    var order: [String] = []
    var problems: [String] = []
    /// The number of transactions that have begun and are not recorded yet.
    var open = 0
  }

  private let box = NIOLockedValueBox(Contents())

  var contents: Contents { box.withLockedValue(\.self) }

  func begin() { box.withLockedValue { $0.open += 1 } }

  /// Records a transaction's writes, which are empty if it failed.
  func commit(_ writes: [StoreWrite]) {
    box.withLockedValue { contents in
      contents.open -= 1
      contents.commit(writes)
    }
  }
}

extension CommitLedger.Contents {
  fileprivate mutating func commit(_ writes: [StoreWrite]) {
    var events: [AuditEvent] = []
    var changed: Set<AccountID> = []
    for write in writes {
      switch write {
      case .insert(let inserted):
        for var account in inserted {
          if accounts[account.id] != nil { problems.append("\(account.id) is inserted twice") }
          account.revision = 1
          accounts[account.id] = account
          changed.insert(account.id)
        }
      case .update(var account, let old):
        let current = accounts[account.id]
        if current?.revision != old.revision {
          problems.append(
            "\(account.id) is updated from revision \(old.revision), "
              + "and has \(current.map { "\($0.revision)" } ?? "none")")
        }
        account.revision = old.revision + 1
        accounts[account.id] = account
        changed.insert(account.id)
      case .delete(let account):
        if accounts.removeValue(forKey: account.id) == nil {
          problems.append("\(account.id) is deleted, and is not there")
        }
        changed.insert(account.id)
      case .setAlias(let absorbed, let survivor): aliases[absorbed] = survivor
      case .append(let added): events += added
      default: break
      }
    }
    explain(changed, by: events)
  }

  /// Checks that every change has one event, which is not a refusal and names the accounts.
  private mutating func explain(_ changed: Set<AccountID>, by events: [AuditEvent]) {
    for event in events {
      if entries[event.id] != nil { problems.append("event \(event.id) is committed twice") }
      entries[event.id] = CommitLedger.Entry(
        event: event, account: event.accountID.flatMap { accounts[$0] })
      order.append(event.id)
    }
    guard !changed.isEmpty else { return }
    guard events.count == 1, let event = events.first, event.errorCode == nil else {
      problems.append(
        "\(changed.sorted()) changed by \(events.map { "\($0.action) \($0.errorCode ?? "")" })")
      return
    }
    let named = Set([event.accountID].compactMap(\.self) + event.relatedIDs)
    let unnamed = changed.subtracting(named)
    if !unnamed.isEmpty {
      problems.append("\(event.action) \(event.id) does not name \(unnamed.sorted())")
    }
  }
}
