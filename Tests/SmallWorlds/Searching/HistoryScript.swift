import AuthCore

/// A history as a script for the admin's console, which signs in, links, changes and merges as its people do.
///
/// Steps that the console cannot express are comments: the use of codes, and stored credentials.
struct HistoryScript {
  private let history: PeopleHistory
  private let sessions: [Int: KeptSession]

  init(_ history: PeopleHistory, sessions: [Int: KeptSession]) {
    (self.history, self.sessions) = (history, sessions)
  }

  var text: String {
    history.steps.map { number, step in
      (["-- \(number): \(step)"] + lines(of: step, number)).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func lines(of step: Step, _ number: Int) -> [String] {
    if step.session != nil { return linesOfSession(step, number) }
    switch step {
    case .vendor(let person, let vendor, let mailbox):
      return [signIn(number, credential(vendor, person, mailbox))]
    case .password(let person, let mailbox):
      return [signIn(number, password(mailbox, person))]
    case .appUser(let person):
      return ["a\(number) = accounts.create { uid = \"\(person.appUser)\" }"]
    case .anonymous: return [signIn(number, "providers.anonymous.credential {}")]
    case .signUp(let person, let mailbox):
      return [create(number, "\"\(mailbox.text)\"", isVerified: false, person, uid: nil)]
    case .disable(let id, let isOn): return ["\(account(id)):\(isOn ? "disable" : "enable")()"]
    case .delete(let id): return ["\(account(id)):delete { reason = \"test\", forever = true }"]
    case .create(let id, let person, let mailbox, let isVerified):
      let email = mailbox.map { "\"\($0.text)\"" } ?? "nil"
      return [create(number, email, isVerified: isVerified, person, uid: id)]
    case .forgetTeam: return ["providers.forget(\"\(Vendor.team.id)\", { force = true })"]
    case .setUpTeam(let issuer):
      return ["providers.configure(\"\(Vendor.team.id)\", { issuer = \"\(issuer)\" })"]
    case .trustHonest(let isOn):
      return ["settings.trust(\"\(Vendor.honest.id)\", \"\(isOn ? "always" : "never")\")"]
    case .undo(let merge, let force): return ["accounts.undo(m\(merge), { force = \(force) })"]
    case .split(let id, let provider):
      return ["m\(number) = \(account(id)):split { identities = { \"\(provider)\" } }:commit {}"]
    case .move(let provider, let id, let other):
      return ["m\(number) = \(account(id)):move(\"\(provider)\", \(account(other))):commit {}"]
    case .adminMerge(let kept, let absorbed):
      return ["m\(number) = merge.plan(\(account(kept)), \(account(absorbed))):commit {}"]
    default: return []
    }
  }

  private func linesOfSession(_ step: Step, _ number: Int) -> [String] {
    switch step {
    case .linkVendor(let session, let vendor, let mailbox):
      guard let person = sessions[session]?.person else { return [] }
      return ["a\(session):link(\(credential(vendor, person, mailbox)))", same(number, session)]
    case .linkPassword(let session, let mailbox):
      guard let person = sessions[session]?.person else { return [] }
      return ["a\(session):link(\(password(mailbox, person)))", same(number, session)]
    case .unlink(let session, let provider): return ["a\(session):unlink(\"\(provider)\")"]
    case .endWaysIn(let session, let ways):
      let names = ways.map { "\"\($0.name(of: nil))\"" }.joined(separator: ", ")
      return ["a\(session):endWaysIn { \(names) }", same(number, session)]
    case .setEmail(let session, let mailbox):
      let email = mailbox.map { "\"\($0.text)\"" } ?? "json.null"
      return ["a\(session):update { email = \(email) }"]
    case .setPassword(let session):
      guard let person = sessions[session]?.person else { return [] }
      return ["a\(session):update { password = \"\(person.password)\" }"]
    case .renew(let session): return [same(number, session)]
    case .merge(let other, let session):
      return [
        "m\(number) = merge.plan(a\(session), a\(other)):commit {}", same(number, session),
      ]
    case .deleteOwn(let session):
      return ["a\(session):delete { reason = \"test\", forever = true }"]
    default: return []
    }
  }

  private func signIn(_ number: Int, _ credential: String) -> String {
    "a\(number) = auth.signIn(\(credential)).account"
  }

  private func same(_ number: Int, _ session: Int) -> String { "a\(number) = a\(session)" }

  private func create(
    _ number: Int, _ email: String, isVerified: Bool, _ person: Person, uid: AccountID?
  ) -> String {
    let uid = uid.map { "uid = \"\($0)\", " } ?? ""
    return "a\(number) = accounts.create { \(uid)email = \(email), emailVerified = \(isVerified), "
      + "password = \"\(person.password)\" }"
  }

  private func credential(_ vendor: Vendor, _ person: Person, _ mailbox: Mailbox?) -> String {
    let subject = vendor.subject(of: person, at: nil)
    let email = mailbox.map { ", email = \"\($0.text)\", emailVerified = \"true\"" } ?? ""
    return "providers[\"\(vendor.id)\"].credential { subject = \"\(subject)\"\(email) }"
  }

  private func password(_ mailbox: Mailbox, _ person: Person) -> String {
    "providers.password.credential "
      + "{ email = \"\(mailbox.text)\", password = \"\(person.password)\" }"
  }

  /// Returns the variable of an account, or a look-up of its uid.
  private func account(_ id: AccountID) -> String {
    sessions.filter { $1.grant.account == id }.keys.min().map { "a\($0)" }
      ?? "accounts.get(\"\(id)\")"
  }
}
