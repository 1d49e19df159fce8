import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import RandomOperations
import TestSupport

/// A small world of an admin and people, who store what they receive and use it later.
///
/// The graph under test knows accounts; only the world knows the people behind them. After each step the auditor
/// reports who got into another person's account, and who was locked out.
actor PeopleWorld {
  static let scope = Scope(project: "people")

  let graph: AccountGraph
  let admin = Caller(scope: scope, authority: .admin("admin"))
  let anyone = Caller(scope: scope, authority: .anyone)
  let doors: Doors
  let fault: PlantedFault?
  private let clock: FixedClock
  private let random: StepRandom
  private let start: Timestamp

  private(set) var auditor = Auditor()
  var sessions: [Int: KeptSession] = [:]
  var codes: [Int: KeptCode] = [:]
  var credentials: [Int: KeptCredential] = [:]
  var merges: [Int: KeptMerge] = [:]
  /// The uids of all accounts so far.
  var uids: Set<AccountID> = []
  /// The issuer of the team's vendor; nil while it is not configured.
  var issuer: Issuer? = .first
  var closed: Set<ProviderID> = []
  var hasOneAccountPerEmail = true
  /// The last step and its outcome; nil if it was skipped.
  private(set) var last: (scene: Scene, outcome: Outcome)?
  /// The accounts before the step.
  private(set) var accounts: [AccountID: Account] = [:]

  var isHonestTrusted = true
  /// True if a policy merges on conflicts.
  var mergesByPolicy = false

  init(store: any AccountStore = MemoryStore(), fault: PlantedFault? = nil) async throws {
    let clock = FixedClock()
    let random = StepRandom()
    let doors = Doors()
    (self.clock, self.random, self.doors, self.fault) = (clock, random, doors, fault)
    start = clock.now
    var services = GraphServices(secrets: PlainSealing(), hooks: doors)
    services.quirks = fault?.quirks ?? .production
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([
        FakeProvider(id: Vendor.honest.id), FakeProvider(id: Vendor.careless.id),
        TeamProvider(namesSubjects: fault != .issuersAlike),
        FakePasswords(), EmailLinkProvider(), AnonymousProvider(), AppTokens(), ShownPhones(),
      ]),
      policies: MergingPolicy(), services: services, clock: { clock.now },
      random: { random.next() })
    _ = try await graph.changeSettings(by: admin) { settings in
      settings.trust[Vendor.honest.id] = .always
      settings.recentLoginSeconds = 86_400
    }
    _ = try await setUpTeam(.first)
  }

  /// The world's whole knowledge, which can be restored together with the store's rows.
  var known: Known {
    get {
      Known(
        auditor: auditor, sessions: sessions, codes: codes, credentials: credentials,
        merges: merges, uids: uids, issuer: issuer, closed: closed,
        hasOneAccountPerEmail: hasOneAccountPerEmail, isHonestTrusted: isHonestTrusted,
        mergesByPolicy: mergesByPolicy, areDoorsClosed: doors.isClosed, accounts: accounts)
    }
    set {
      (auditor, sessions, codes) = (newValue.auditor, newValue.sessions, newValue.codes)
      (credentials, merges, uids) = (newValue.credentials, newValue.merges, newValue.uids)
      (issuer, closed, accounts) = (newValue.issuer, newValue.closed, newValue.accounts)
      hasOneAccountPerEmail = newValue.hasOneAccountPerEmail
      isHonestTrusted = newValue.isHonestTrusted
      mergesByPolicy = newValue.mergesByPolicy
      doors.isClosed = newValue.areDoorsClosed
    }
  }

  /// Performs a step, half a minute after the last one, and returns its violations.
  ///
  /// A step whose session, code or account is missing is skipped.
  func act(_ step: Step, as number: Int) async throws -> [Violation] {
    last = nil
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
    last = (scene, outcome)
    return violations
  }

  private enum Actor {
    case person(Person)
    case admin
  }

  /// Returns the actor of a step, or nil if a requirement of it is missing.
  private func actor(of step: Step) -> Actor? {
    if let number = step.session {
      guard let session = sessions[number] else { return nil }
      let other: Person? =
        switch step {
        case .linkVouched(let number, _): credentials[number]?.person
        case .merge(let number, _), .moveOwn(let number, _, _): sessions[number]?.person
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
    case .adminMerge(let kept, let absorbed), .move(_, let absorbed, let kept):
      let owners = auditor.residents(of: kept)
      return !owners.isEmpty && owners == auditor.residents(of: absorbed) ? .admin : nil
    default: return .admin
    }
  }

  /// Tells whether a vendor would make the step's statement.
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

  /// Stores the results of a step with their people.
  private func keep(_ outcome: Outcome, of scene: Scene) {
    let number = scene.number
    if case .use(let used) = scene.step, outcome.error == nil { codes[used]?.wasUsed = true }
    if let grant = outcome.grant, let person = scene.actor {
      sessions[number] = KeptSession(person: person, grant: grant)
    }
    if let token = outcome.token, let person = scene.actor {
      credentials[number] = KeptCredential(
        person: person, token: token, mailbox: scene.provenMailbox, key: outcome.vouchedKey)
    }
    if let merge = outcome.merge { merges[number] = merge }
    guard let issued = outcome.code else { return }
    let account = outcome.codeAccount
    let mailbox = Mailbox(
      issued.info.operation == .verifyAndChangeEmail ? issued.info.newEmail : issued.info.email)
    // People do not use a code that another person requested, unless it undoes a change.
    guard let holder = mailbox?.owner,
      holder == scene.actor || issued.info.operation == .recoverEmail
    else { return }
    codes[number] = KeptCode(
      holder: holder, issued: issued, account: account,
      since: account.map { auditor.since($0) } ?? 0,
      isSole: account.map { auditor.residents(of: $0) == [holder] } ?? false,
      accountThen: account.flatMap { accounts[$0] })
  }
}

/// The results of a step.
struct Outcome: Sendable {
  var grant: SessionGrant?
  /// The account that a code changed.
  var account: AccountID?
  var code: ActionCode?
  /// The account that the code was made for.
  var codeAccount: AccountID?
  var token: Secret<String>?
  /// The identity that the token verifies.
  var vouchedKey: IdentityKey?
  var merge: KeptMerge?
  var error: AuthError?
}
