import AuthCore

/// A split or a move with its result, as the laws see it.
struct JudgedTransfer: Sendable {
  let asked: TransferCase
  var sourceAfter: Account
  var targetAfter: Account
  var shut: [AccountID]
  /// The accounts after an undo.
  var undone: [Account]

  /// Decides a case with the rules; throws their refusal.
  init(_ asked: TransferCase, by graph: AccountGraph) throws {
    let outcome = try graph.outcome(
      of: asked.kind, from: asked.source.id, to: asked.target?.id, at: SnapshotNames.now,
      asked.snapshot)
    self.asked = asked
    sourceAfter = outcome.plan.sourceAfter
    targetAfter = outcome.plan.targetAfter
    shut = outcome.plan.shutAccounts
    undone = try outcome.undone.get()
  }

  var before: [Account] { asked.accounts }
  var after: [Account] { [sourceAfter, targetAfter] }

  /// The identities that the account has got.
  var moved: [Identity] {
    targetAfter.identities.filter { asked.target?.identity($0.key) == nil }
  }
}

/// A fault of splits and moves that the laws have to find, planted around the plan and never in it.
package enum PlantedTransfer: String, CaseIterable, Sendable {
  /// The identities stay where they were, too.
  case copies
  /// The identities go and come nowhere.
  case drops
  /// The address stays, although its password goes.
  case leavesAddress
  /// An address is verified by going.
  case verifies
  /// The second factor goes along.
  case takesFactor
  /// The new account is open, although the old one is disabled.
  case opens
  /// Sessions of the account that loses identities go on.
  case keepsSessions
  /// An account without a way in is not named.
  case hidesShut
  /// An undo forgets the address.
  case undoesHalf

  /// The law that the fault violates.
  package var law: String {
    switch self {
    case .copies, .drops: "an identity of two, or of nobody"
    case .leavesAddress: "a way in without its address"
    case .verifies: "an address from nowhere"
    case .takesFactor: "a second factor that goes"
    case .opens: "a disabled account opens"
    case .keepsSessions: "a session that goes on"
    case .hidesShut: "a shut account that is not named"
    case .undoesHalf: "an inexact undo"
    }
  }

  /// Plants the fault into a result.
  func plant(in judged: inout JudgedTransfer) {
    let source = judged.asked.source
    switch self {
    case .copies: judged.sourceAfter.identities = source.identities
    case .drops: judged.targetAfter.identities = judged.asked.target?.identities ?? []
    case .leavesAddress:
      guard judged.sourceAfter.email == nil, judged.asked.target == nil else { return }
      judged.sourceAfter.email = judged.targetAfter.email
      judged.targetAfter.email = nil
    case .verifies: judged.targetAfter.emailVerified = judged.targetAfter.email != nil
    case .takesFactor:
      judged.targetAfter.secondFactors += source.secondFactors
      judged.sourceAfter.secondFactors = []
    case .opens: judged.targetAfter.disabled = false
    case .keepsSessions:
      var kept = source
      kept.identities = judged.sourceAfter.identities
      (kept.email, kept.emailVerified) = (
        judged.sourceAfter.email, judged.sourceAfter.emailVerified
      )
      judged.sourceAfter = kept
    case .hidesShut: judged.shut = []
    case .undoesHalf: for index in judged.undone.indices { judged.undone[index].email = nil }
    }
  }
}
