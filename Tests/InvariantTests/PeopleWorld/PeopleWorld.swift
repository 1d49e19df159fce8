import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import RandomOperations
import TestSupport

/// A small world of people who come, keep what they were given, and use it later, and of an admin.
///
/// The graph under test knows accounts; the world alone knows who people are. After each step the auditor says who got
/// where somebody else is at home, and who was shut out.
actor PeopleWorld {
  static let scope = Scope(project: "people")

  let graph: AccountGraph
  let admin = Caller(scope: scope, authority: .admin("admin"))
  let anyone = Caller(scope: scope, authority: .anyone)
  let doors: Doors
  private let clock: FixedClock
  private let random: StepRandom
  private let start: Timestamp

  private(set) var auditor = Auditor()
  var sessions: [Int: KeptSession] = [:]
  var codes: [Int: KeptCode] = [:]
  var credentials: [Int: KeptCredential] = [:]
  var merges: [Int: KeptMerge] = [:]
  /// Uids of which there was an account.
  var uids: Set<AccountID> = []
  /// Whose people the team's vendor stands for; nil while it is forgotten.
  var issuer: Issuer? = .first
  var closed: Set<ProviderID> = []
  var hasOneAccountPerEmail = true
  /// The accounts as they are before the step.
  private(set) var accounts: [AccountID: Account] = [:]

  init(store: any AccountStore = MemoryStore()) async throws {
    let clock = FixedClock()
    let random = StepRandom()
    let doors = Doors()
    (self.clock, self.random, self.doors) = (clock, random, doors)
    start = clock.now
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([
        FakeProvider(id: Vendor.honest.id), FakeProvider(id: Vendor.careless.id), TeamProvider(),
        FakePasswords(), EmailLinkProvider(), AnonymousProvider(), AppTokens(), ShownPhones(),
      ]),
      policies: NoPolicies(),
      services: GraphServices(secrets: PlainSealing(), hooks: doors), clock: { clock.now },
      random: { random.next() })
    _ = try await graph.changeSettings(by: admin) { settings in
      settings.trust[Vendor.honest.id] = .always
      settings.recentLoginSeconds = 86_400
    }
    _ = try await setUpTeam(.first)
  }

  /// Does a step, half a minute after the one before it, and returns what should not have been.
  ///
  /// A step whose session, code or account is not there is passed over.
  func act(_ step: Step, as number: Int) async throws -> [Violation] {
    clock.set(start.adding(seconds: Int64(number) * 30))
    random.begin(number)
    guard let actor = actor(of: step), isHonest(step) else { return [] }
    let person: Person? = if case .person(let person) = actor { person } else { nil }
    let scene = Scene(
      step: step, number: number, actor: person, before: accounts, sessions: sessions,
      codes: codes, credentials: credentials, merges: merges, issuer: issuer, closed: closed,
      areDoorsClosed: doors.isClosed, hasOneAccountPerEmail: hasOneAccountPerEmail)
    let promised = auditor.promise(to: scene)
    var outcome = Outcome()
    do {
      outcome = try await perform(step, by: person)
    } catch let error as AuthError {
      outcome.error = error
    }
    let found = try await graph.accounts(limit: 1000, in: Self.scope)
    accounts = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    uids.formUnion(accounts.keys)
    let violations = auditor.audit(scene, outcome, after: accounts, promised: promised)
    keep(outcome, of: scene)
    return violations
  }

  private enum Actor {
    case person(Person)
    case admin
  }

  /// Returns who does a step; nil if what it needs is not there.
  private func actor(of step: Step) -> Actor? {
    if let number = step.session {
      guard let session = sessions[number] else { return nil }
      let other: Person? =
        switch step {
        case .linkVouched(let number, _): credentials[number]?.person
        case .merge(let number, _): sessions[number]?.person
        default: session.person
        }
      return other == session.person ? .person(session.person) : nil
    }
    switch step {
    case .anonymous(let person), .appUser(let person), .vendor(let person, _, _),
      .phone(let person), .signUp(let person, _), .password(let person, _),
      .vouch(let person, _, _):
      return .person(person)
    case .linkAtOnce(let mailbox), .resetAtOnce(let mailbox), .askLink(let mailbox),
      .askReset(let mailbox):
      return .person(mailbox.owner)
    case .use(let number): return codes[number].map { .person($0.holder) }
    case .signInVouched(let number): return credentials[number].map { .person($0.person) }
    case .undo(let number, _): return merges[number].map { _ in .admin }
    default: return .admin
    }
  }

  /// Whether a vendor would say what the step has it say.
  private func isHonest(_ step: Step) -> Bool {
    switch step {
    case .vendor(let person, let vendor, let mailbox), .vouch(let person, let vendor, let mailbox):
      return mailbox.map { vendor.says($0, to: person, at: issuer) } ?? true
    case .linkVendor(let number, let vendor, let mailbox):
      guard let person = sessions[number]?.person else { return false }
      return mailbox.map { vendor.says($0, to: person, at: issuer) } ?? true
    default: return true
    }
  }

  /// Has people keep what a step gave them.
  private func keep(_ outcome: Outcome, of scene: Scene) {
    let number = scene.number
    if case .use(let used) = scene.step, outcome.error == nil { codes[used]?.wasUsed = true }
    if let grant = outcome.grant, let person = scene.actor {
      sessions[number] = KeptSession(person: person, grant: grant)
    }
    if let token = outcome.token, let person = scene.actor {
      credentials[number] = KeptCredential(
        person: person, token: token, mailbox: scene.provenMailbox)
    }
    if let merge = outcome.merge { merges[number] = merge }
    guard let issued = outcome.code else { return }
    let account = outcome.codeAccount
    let mailbox = Mailbox(
      issued.info.operation == .verifyAndChangeEmail ? issued.info.newEmail : issued.info.email)
    // Nobody clicks what somebody else asked for, unless it says that something was taken.
    guard let holder = mailbox?.owner,
      holder == scene.actor || issued.info.operation == .recoverEmail
    else { return }
    codes[number] = KeptCode(
      holder: holder, issued: issued, account: account,
      since: account.map { auditor.since($0) } ?? 0,
      isSole: account.map { auditor.residents(of: $0) == [holder] } ?? false)
  }
}

/// What a step gave.
struct Outcome: Sendable {
  var grant: SessionGrant?
  /// The account that a code changed.
  var account: AccountID?
  var code: IssuedActionCode?
  /// The account that the code was made for.
  var codeAccount: AccountID?
  var token: Secret<String>?
  var merge: KeptMerge?
  var error: AuthError?
}
