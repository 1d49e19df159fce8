import AdminConsole
import AuthCore
import Foundation

/// Visits the accounts of a scope page by page, and shows or executes the plan of each.
struct MendRun: Sendable {
  let assembly: Assembly
  let isJSON: Bool
  let commits: Bool
  let force: Bool
  let reason: String

  /// The result for one account.
  private enum Outcome: String {
    case planned
    case mended
    /// No way to sign in would remain, and the change was not forced.
    case left
    /// The account changed meanwhile.
    case outdated
  }

  func perform() async throws {
    var rows: [(plan: MendPlan, outcome: Outcome)] = []
    var place: AccountID?
    repeat {
      let page = try await assembly.graph.mendPlans(after: place, in: assembly.scope)
      for plan in page.plans { rows.append((plan, try await outcome(of: plan))) }
      place = page.last
    } while place != nil
    if isJSON { return try StandardStreams.print(json(rows)) }
    try tell(rows)
  }

  private func outcome(of plan: MendPlan) async throws -> Outcome {
    guard force || !plan.losesLastWayIn else { return .left }
    guard commits else { return .planned }
    do {
      _ = try await assembly.graph.commit(
        plan, force: force, by: assembly.caller(reason: reason))
      return .mended
    } catch let error as AuthError where [.planOutdated, .userNotFound].contains(error.code) {
      return .outdated
    }
  }

  private func tell(_ rows: [(plan: MendPlan, outcome: Outcome)]) throws(AuthError) {
    guard !rows.isEmpty else {
      return try StandardStreams.print(line: "No account of \(assembly.scope) has a fault.")
    }
    var table = TextTable(
      columns: [
        TextTable.Column("uid", keepsWhole: true), "fault", "goes",
        TextTable.Column("", keepsWhole: true),
      ], overflow: .wrap)
    for (plan, outcome) in rows {
      table.append(
        [
          plan.account.id.rawValue, plan.faults.map(\.description).joined(separator: "; "),
          Self.losses(of: plan).joined(separator: ", "), outcome.rawValue,
        ].map { Cell($0) })
    }
    try StandardStreams.print(table)
    if rows.contains(where: { $0.outcome == .planned }) {
      try StandardStreams.print("Nothing is written. Add --commit --reason \"…\" to carry it out.")
    }
    if rows.contains(where: { $0.outcome == .left }) {
      try StandardStreams.print(
        "Accounts that are left would lose their last way in. Look at them in the console; --force mends them, too."
      )
    }
    if rows.contains(where: { $0.outcome == .outdated }) {
      try StandardStreams.print(
        "Accounts that are outdated changed meanwhile. Run the command again.")
    }
  }

  private static func losses(of plan: MendPlan) -> [String] {
    plan.lostIdentities.map(\.description) + (plan.lostEmail.map { ["the address \($0)"] } ?? [])
      + ["its sessions"]
  }

  private func json(_ rows: [(plan: MendPlan, outcome: Outcome)]) -> JSONValue {
    .array(
      rows.map { plan, outcome in
        [
          "uid": .string(plan.account.id.rawValue),
          "faults": .array(plan.faults.map { .string($0.description) }),
          "lostIdentities": .array(plan.lostIdentities.map { .string($0.description) }),
          "lostEmail": .optional(plan.lostEmail?.text),
          "losesLastWayIn": .bool(plan.losesLastWayIn), "outcome": .string(outcome.rawValue),
        ]
      })
  }
}
