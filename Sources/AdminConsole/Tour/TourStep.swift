import AuthCore

/// A step of the tour: lines to type, the sign that they worked, and what to notice.
struct TourStep: Sendable {
  /// The purpose of the step, in one line.
  let task: String
  /// The lines to type; others that have the same effect count as well.
  let lines: [String]
  /// The points to notice afterwards.
  let notice: String
  /// True if the step has happened.
  let isDone: @Sendable (TourMoment) -> Bool
}

extension TourStep {
  static let all = [
    TourStep(
      task: "Find an account. Somebody writes from ada@example.com:",
      lines: ["accounts.find { email = \"ada@example.com\" }"],
      notice: """
        Two accounts share the address, in two spellings; only one has verified it.
        Ada signed in with Google first, and with GitHub later.
        """
    ) { $0.count > 0 && $0.showed(AccountHandle.self) },
    TourStep(
      task: "Look at one of them. A name alone is printed, and Tab completes it:",
      lines: ["ada = accounts.get \"ada\"", "ada"],
      notice: """
        ada is now a name for the account. It is read again after each change, and
        never shows old data. ada.providerData and ada:graph() show more of it.
        """
    ) { $0.global("ada", AccountHandle.self) != nil && $0.showed(AccountHandle.self) },
    TourStep(
      task: "Plan a merge of both. A plan writes nothing:",
      lines: ["plan = merge.plan(ada, \"ada2\")", "plan"],
      notice: """
        ≠ marks fields in which the two differ, with the rule that decides; • marks a
        note to read. help "merge.plan" has other rules, such as "union" of claims.
        """
    ) { $0.showed(MergePlan.self) },
    TourStep(
      task: "Carry it out, with a reason for the audit log:",
      lines: ["r = plan:commit { reason = \"same person\" }"],
      notice: """
        Both uids lead to one account now: accounts.get("ada2").uid is ada. A person
        who is signed in as ada2 has to sign in again.
        """
    ) { $0.account("ada2")?.id == AccountID("ada") },
    TourStep(
      task: "Ask why. Every receipt, event and error can be explained:",
      lines: ["why(r)"],
      notice: """
        Each line is a rule: what it looked at, and its result. The first line has the
        time, the admin and the reason.
        """
    ) { $0.showed(TraceView.self) },
    TourStep(
      task: "Take the merge back:",
      lines: ["merge.undo(r)"],
      notice: """
        Both accounts are exactly what they were. An undo that would lose later
        changes is refused, and names them.
        """
    ) { $0.account("ada2")?.id == AccountID("ada2") },
    TourStep(
      task: "Get an error. Tim has only a password:",
      lines: ["accounts.get(\"tim\"):unlink \"password\""],
      notice: """
        An error is one line: a code, the problem, the remedy. Nothing was changed.
        """
    ) { $0.errorCode == "last-sign-in-method" },
    TourStep(
      task: "Rehearse a change, and then make it. Every write takes dryRun = true:",
      lines: [
        "tim = accounts.get \"tim\"",
        "tim:update { displayName = \"Tim B.\", reason = \"asked\", dryRun = true }",
        "tim:update { displayName = \"Tim B.\", reason = \"asked\" }",
      ],
      notice: """
        The rehearsal shows each field that would change, and writes nothing. The
        arrow keys bring inputs back, and Ctrl-R searches them.
        """
    ) { moment in moment.account("tim").map { $0.displayName != "Tim" } ?? false },
    TourStep(
      task: "See what happened to an account:",
      lines: ["tim:history()"],
      notice: """
        The newest event is first, with admin, reason and outcome. audit.find
        searches the events of all accounts, refusals too.
        """
    ) { $0.showed(AuditEvent.self) },
    TourStep(
      task: "Ask for help by a word of your own:",
      lines: ["help \"totp\""],
      notice: """
        help() lists tasks, and help(tim) explains a value. Thirty-six recipes are in
        Sources/AdminConsole/AdminConsole.docc/Cookbook.md
        """
    ) { $0.session.helpCount > 0 },
  ]
}
