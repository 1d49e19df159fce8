import AuthCore

/// A case as a script for the admin's console, which makes its accounts and its request.
///
/// Facts that the console cannot express are comments: a second factor, and the account and age of the session.
struct SnapshotScript {
  let state: SnapshotCase

  private var question: Question { state.question }

  var text: String {
    // These settings allow every account to be made.
    let open = "settings.set { oneAccountPerEmail = false, identitiesPerProvider = \"many\" }"
    let lines = [open] + state.members.flatMap(account) + settings + [remark, request]
    return lines.joined(separator: "\n")
  }

  private var settings: [String] {
    let settings = state.snapshot.settings
    var lines = [
      """
      settings.set { oneAccountPerEmail = \(settings.oneAccountPerEmail), \
      identitiesPerProvider = "\(settings.identitiesPerProvider.rawValue)", \
      allowsUnlinkingLastMethod = \(settings.allowsUnlinkingLastMethod), \
      signIn = { allowsSignUp = \(settings.signIn.allowsSignUp), \
      hidesAccounts = \(settings.signIn.hidesAccounts) } }
      """
    ]
    for provider in SnapshotNames.providers where settings.trust[provider] == .always {
      lines.append("settings.trust(\"\(provider)\", \"always\")")
    }
    return settings.mergePolicy == nil ? lines : lines + ["-- a merge policy says yes"]
  }

  private func account(_ member: SnapshotCase.Member) -> [String] {
    let (small, account) = (member.small, member.account)
    let name = variable(account.id)
    var fields = ["uid = \"\(account.id)\""]
    if let email = account.email {
      fields.append("email = \"\(email)\", emailVerified = \(account.emailVerified)")
    }
    if small.hasPassword { fields.append("password = \"a password\"") }
    var lines = ["\(name) = accounts.create { \(fields.joined(separator: ", ")) }"]
    for identity in account.identities where SnapshotNames.providers.contains(identity.provider) {
      let email = identity.emailVerified ? account.email : nil
      let credential = vendor(identity.key, email, isVerified: true)
      lines.append("\(name):link(\(credential))")
    }
    if small.hasLink { lines.append("-- \(name) signs in by links to its address") }
    if small.isAnonymous { lines.append("-- \(name) is anonymous") }
    if small.isNamed { lines.append("-- \(name) was entered with a custom token") }
    if small.isGuarded {
      let shown = member.hasShownFactor ? ", which is shown" : ""
      lines.append("-- \(name) has a second factor\(shown)")
    }
    if small.isDisabled { lines.append("\(name):disable()") }
    return lines
  }

  private var remark: String {
    let asker =
      switch question.asker {
      case .anyone: "anybody"
      case .admin: "an admin"
      case .recent: "a recent session of the account"
      case .recentWithFactor: "a recent session of the account, which has shown its factor"
      case .old: "a session of the account from an hour ago"
      case .ended: "a session of the account that was ended"
      case .other:
        state.members.first { $0.roles & Role.asker != 0 }
          .map { "a session of \(variable($0.account.id))" } ?? "another account's session"
      case .stranger: "a session of an account that is not here"
      }
    return "-- then, by \(asker):"
  }

  private var request: String {
    let target = variable(state.target?.account.id ?? SnapshotNames.strangersUID)
    let email = SnapshotNames.addresses[question.address]
    let key = question.identityKey
    switch question.kind {
    case .signInVendor, .linkVendor:
      guard let key else { return "" }
      let credential = vendor(key, email, isVerified: question.claim == .verified)
      return question.kind == .signInVendor
        ? "auth.signIn(\(credential))" : "\(target):link(\(credential))"
    case .signInPassword: return "auth.signIn(\(password(email)))"
    case .signInStalePassword: return "-- a sign-in with a password that was changed meanwhile"
    case .signInLink: return "-- a sign-in by a link to \(email?.text ?? "")"
    case .signInAnonymous: return "auth.signIn(providers.anonymous.credential {})"
    case .signInApp:
      let uid = state.target?.account.id ?? SnapshotNames.strangersUID
      return "-- a sign-in with a custom token for \(uid)"
    case .signUp: return "-- a sign-up with \(password(email))"
    case .linkPassword: return "\(target):link(\(password(email)))"
    case .linkLink: return "-- \(target) links a link to \(email?.text ?? "")"
    case .assert:
      return "\(target):link { providerID = \"\(question.providerID)\", "
        + "subject = \"\(key?.subject ?? "")\" }"
    case .unlinkVendor, .unlinkPassword, .unlinkLink:
      let subject = question.subject.map {
        ", subject = \"\(SnapshotNames.subject($0, of: question.provider).subject)\""
      }
      return "\(target):unlink(\"\(question.providerID)\", "
        + "{ force = \(question.isForced)\(subject ?? "") })"
    }
  }

  private func vendor(_ key: IdentityKey, _ email: EmailAddress?, isVerified: Bool) -> String {
    let email = email.map { ", email = \"\($0)\", emailVerified = \"\(isVerified)\"" } ?? ""
    return "providers[\"\(key.provider)\"].credential { subject = \"\(key.subject)\"\(email) }"
  }

  private func password(_ email: EmailAddress?) -> String {
    "providers.password.credential { email = \"\(email?.text ?? "")\", password = \"a password\" }"
  }

  private func variable(_ id: AccountID) -> String {
    id.rawValue.replacing("uid#", with: "a")
  }
}
