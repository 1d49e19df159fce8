import AuthCore

extension SnapshotLaw {
  /// Laws of sessions.
  static let ofSessions = [
    SnapshotLaw("a session of somebody else's account") { judged in
      guard let id = judged.outcome.session?.account else { return nil }
      if !judged.isSignIn {
        return judged.state.target?.account.id == id ? nil : "\(id), and another account links"
      }
      guard let old = judged.state.member(id)?.account else { return nil }
      let isProven = judged.isEntered(old) || judged.showsAddress(of: old)
      return isProven && judged.question.kind != .signUp ? nil : "\(id)"
    },
    SnapshotLaw("a session without the second factor") { judged in
      guard let id = judged.outcome.session?.account, let account = judged.account(id),
        !account.secondFactors.isEmpty
      else { return nil }
      return judged.state.member(id)?.hasShownFactor == true ? nil : "\(id)"
    },
    SnapshotLaw("a session of a disabled account") { judged in
      guard let id = judged.outcome.session?.account else { return nil }
      return judged.state.member(id)?.account.disabled == true ? "\(id)" : nil
    },
    SnapshotLaw("a secret that was changed") { judged in
      judged.question.kind == .signInStalePassword ? "it still signs in" : nil
    },
    SnapshotLaw("a caller without the right") { judged in
      let question = judged.question
      guard question.changesAccount, let target = judged.state.target else { return nil }
      switch question.asker {
      case .anyone, .ended, .other, .stranger: return "\(question.asker)"
      case .old where !target.small.isAnonymous && !target.hasShownFactor: return "an old session"
      case .recent, .recentWithFactor, .old:
        return target.small.isDisabled || question.kind == .assert ? "\(question.asker)" : nil
      case .admin: return nil
      }
    },
    SnapshotLaw("an account is opened although nobody may") { judged in
      guard judged.question.settings.contains(.noSignUp), !judged.isAdmin,
        judged.question.kind != .signInApp
      else { return nil }
      return judged.outcome.changes.contains { $0.old == nil } ? "sign-up is closed" : nil
    },
  ]
}
