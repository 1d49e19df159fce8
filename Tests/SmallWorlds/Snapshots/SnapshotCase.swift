import AuthCore

/// A state: a request by a caller on a snapshot, in the types of the rules and of the enumeration.
struct SnapshotCase: Sendable {
  struct Member: Sendable {
    /// The index among the slots of the small snapshot.
    let slot: Int
    let small: SmallAccount
    let roles: UInt32
    let account: Account

    var isTarget: Bool { roles & Role.target != 0 }
    var hasShownFactor: Bool { roles & Role.shown != 0 }
  }

  let question: Question
  /// The accounts of the snapshot, in order of uid.
  let members: [Member]
  let request: LinkRequest
  let caller: Caller
  let shown: SecondFactorProof?
  /// The keys that the request looks up.
  let keys: [AccountKey]
  let snapshot: Snapshot

  var target: Member? { members.first(where: \.isTarget) }

  func member(_ id: AccountID) -> Member? { members.first { $0.account.id == id } }
}

/// Makes the cases of one question from shared values; used by one task.
final class SnapshotCases {
  private struct Asked {
    let request: LinkRequest
    let keys: [AccountKey]
  }

  let question: Question
  private let accounts: SnapshotAccounts
  private let empty: Snapshot
  private var asked: [AccountID: Asked] = [:]

  init(_ question: Question, of accounts: SnapshotAccounts) {
    self.question = question
    self.accounts = accounts
    empty = Snapshot(scope: SnapshotNames.scope, settings: question.projectSettings)
  }

  /// Makes the case of a small snapshot, whose slots get uids in an order.
  func make(_ slots: [UInt32], uids order: [Int] = [0, 1, 2]) -> SnapshotCase {
    var members: [SnapshotCase.Member] = []
    for (slot, number) in slots.enumerated() where number > 0 {
      let place = Int(number >> 3)
      members.append(
        SnapshotCase.Member(
          slot: slot, small: AccountTable.shared.rows[place - 1].account, roles: number & 7,
          account: accounts.account(place, uid: order[slot])))
    }
    members.sort { order[$0.slot] < order[$1.slot] }
    let target = members.first(where: \.isTarget)?.account
    let asker = members.first { $0.roles & Role.asker != 0 }?.account
    let shown = members.first(where: \.hasShownFactor)?.account
    let (request, keys) = self.asked(about: target?.id ?? SnapshotNames.strangersUID)
    let holder: Account? =
      switch question.asker {
      case .other: asker
      case .stranger: nil
      default: target
      }
    return SnapshotCase(
      question: question, members: members, request: request,
      caller: question.caller(of: holder),
      shown: shown.map {
        SecondFactorProof(
          account: $0.id, factorID: SmallAccount.factor(of: $0.id), kind: "totp",
          at: SnapshotNames.now)
      }, keys: keys, snapshot: snapshot(of: members, keys))
  }

  private func asked(about target: AccountID) -> (LinkRequest, [AccountKey]) {
    if let known = asked[target] { return (known.request, known.keys) }
    let request = question.request(target)
    let new = Asked(request: request, keys: request.keys)
    asked[target] = new
    return (new.request, new.keys)
  }

  /// Returns the snapshot that a store loads for the keys.
  private func snapshot(of members: [SnapshotCase.Member], _ keys: [AccountKey]) -> Snapshot {
    var snapshot = empty
    for key in keys {
      var found: [AccountID] = []
      if case .uid(let id) = key {
        found = members.map(\.account.id).filter { $0 == id }
      } else if let bit = SnapshotNames.bits[key] {
        found = members.filter { $0.small.keys & bit != 0 }.map(\.account.id)
      }
      snapshot.found[key] = found
    }
    for member in members { snapshot.accounts[member.account.id] = member.account }
    return snapshot
  }
}

/// The accounts of small snapshots with each uid, made on demand; used by one task.
final class SnapshotAccounts {
  private var made: [[Account?]]

  init() {
    let none = [Account?](repeating: nil, count: AccountTable.shared.rows.count + 1)
    made = SnapshotNames.uids.map { _ in none }
  }

  /// Returns the account at an index of the table, counted from 1.
  func account(_ place: Int, uid: Int) -> Account {
    if let account = made[uid][place] { return account }
    let small = AccountTable.shared.rows[place - 1].account
    let account = small.account(SnapshotNames.uids[uid])
    made[uid][place] = account
    return account
  }
}
