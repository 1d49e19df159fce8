import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct Splitting {
  let home = TestHome()

  @Test func `a plan writes nothing, its commit everything`() async throws {
    let account = try await home.shared()
    let before = try await home.everything()
    let plan = try await home.planSplit(account.id, [TestHome.other("bo")])
    #expect(try await home.everything() == before)
    #expect(plan.shutAccounts.isEmpty)

    let receipt = try await home.graph.commit(plan, by: home.admin)
    #expect(receipt.action == .split && receipt.accountID == account.id)
    let (left, new) = try await (
      home.account(account.id), home.account(plan.targetAfter.id)
    )
    #expect(left.identities.map(\.provider) == [.password, TestHome.fake])
    #expect(new.identities.map(\.key) == [TestHome.other("bo")])
    #expect(left.email?.text == "ada@example.com" && left.emailVerified)
    #expect(left.displayName == "Ada" && left.customClaims == account.customClaims)
    #expect(new.email == nil && new.displayName == nil && new.customClaims == nil)
    #expect(new.ownership != nil && new.ownership != left.ownership)
    let entered = try await home.signIn(home.credential("bo", provider: TestHome.other))
    #expect(entered.account.id == new.id)
  }

  @Test func `a password takes its address, its verified flag and its links`() async throws {
    let account = try await home.shared()
    let link = try await home.emailLink("ada@example.com", for: account.id)
    _ = try await home.graph.link(link, to: account.id, by: home.session(account.id))
    let email = try EmailAddress("ada@example.com")

    let plan = try await home.planSplit(account.id, [.password(email)])

    #expect(Set(plan.movedIdentities) == [.password(email), .emailLink(email)])
    #expect(plan.targetAfter.email == email && plan.targetAfter.emailVerified)
    #expect(plan.sourceAfter.email == nil && !plan.sourceAfter.emailVerified)
    #expect(plan.notes.contains { $0.contains("goes too") })
    let outcome = plan.fields.first { $0.field == .email }
    #expect(outcome?.rule == "follows its identity" && outcome?.source == nil)
  }

  @Test func `a phone takes its number`() async throws {
    let account = try await home.shared()
    let number = try PhoneNumber("+15555550123")
    _ = try await home.graph.link(
      await home.phone(number.text), to: account.id, by: home.session(account.id))

    try await home.split(account.id, [.phone(number)])

    #expect(try await home.account(account.id).phoneNumber == nil)
    #expect(try await home.account(AccountID("new")).phoneNumber == number)
  }

  @Test(arguments: SplitField.allCases.filter { !["email", "phoneNumber"].contains($0.rawValue) })
  func `a field stays, goes, or is of both`(_ field: SplitField) async throws {
    for choice in SplitChoice.allCases {
      let home = TestHome()
      let account = try await home.bring("a") { account in
        account.email = try EmailAddress("ada@example.com")
        account.emailVerified = true
        account.displayName = "Ada"
        account.photoURL = "https://example.com/ada.png"
        account.customClaims = try CustomClaims(text: #"{"role":"editor"}"#)
        account.details.screenName = "ada"
        account.details.language = "en"
        account.details.timeZone = "Europe/London"
        account.details.dateOfBirth = "1815-12-10"
        account.secondFactors = [
          SecondFactor(id: "f", kind: .phone(try PhoneNumber("+15555550199")))
        ]
        account.identities = [TestHome.key("one"), TestHome.other("two")].map {
          Identity(key: $0, origin: .imported, linkedAt: home.clock.now)
        }
      }
      let value = try #require(account.shown(field), "\(field)")

      try await home.split(account.id, [TestHome.other("two")], [field: choice])

      let left = try await home.account(account.id).shown(field)
      let new = try await home.account(AccountID("new")).shown(field)
      #expect(left == (choice == .move ? nil : value), "\(field) \(choice)")
      #expect(new == (choice == .keep ? nil : value), "\(field) \(choice)")
    }
  }

  @Test func `an address cannot be separated from its password, nor copied`() async throws {
    let account = try await home.shared()
    let email = try EmailAddress("ada@example.com")
    await expectError(.operationNotAllowed) {
      try await home.planSplit(account.id, [.password(email)], [.email: .keep])
    }
    await expectError(.operationNotAllowed) {
      try await home.planSplit(account.id, [TestHome.other("bo")], [.email: .move])
    }
    await expectError(.invalidArgument) { try SplitChoice(name: "copy", field: .email) }
  }

  @Test func `neither account is left without a way in, unless forced`() async throws {
    let account = try await home.shared()
    let all = account.identities.map(\.key)
    let plan = try await home.planSplit(account.id, all)
    #expect(plan.shutAccounts == [account.id])
    let before = try await home.everything()

    await expectError(.lastSignInMethod) { try await home.graph.commit(plan, by: home.admin) }
    #expect(try await home.everything() == before)
    let receipt = try await home.graph.commit(plan, force: true, by: home.admin)
    #expect(receipt.trace.steps.contains { $0.rule == "ways in that remain" })
    #expect(try await home.account(account.id).identities.isEmpty)
  }

  @Test func `a disabled account gives a disabled one`() async throws {
    let account = try await home.shared()
    _ = try await home.graph.setDisabled(true, account.id, by: home.admin)
    try await home.split(account.id, [TestHome.other("bo")])
    #expect(try await home.account(AccountID("new")).disabled)
    await expectError(.userDisabled) {
      try await home.signIn(home.credential("bo", provider: TestHome.other))
    }
  }

  @Test func `second factors stay unless named`() async throws {
    let account = try await home.shared()
    _ = try await home.enrollTOTP(account.id)
    let plan = try await home.planSplit(account.id, [TestHome.other("bo")])
    #expect(plan.sourceAfter.secondFactors.count == 1 && plan.targetAfter.secondFactors.isEmpty)
    #expect(plan.notes.contains { $0.contains("second factor") })
    let copied = try await home.planSplit(
      account.id, [TestHome.other("bo")], [.secondFactors: .copy])
    #expect(copied.sourceAfter.secondFactors == copied.targetAfter.secondFactors)
  }

  @Test func `the uid of the new account is free, or the split is refused`() async throws {
    let account = try await home.shared()
    let other = try await home.person("cy")
    let keys = [TestHome.other("bo")]
    await expectError(.uidAlreadyExists) {
      try await home.planSplit(account.id, keys, uid: other.id)
    }
    _ = try await home.graph.delete(other.id, restorable: true, by: home.admin)
    await expectError(.uidAlreadyExists) {
      try await home.planSplit(account.id, keys, uid: other.id)
    }
    await expectError(.noSuchProvider) {
      try await home.planSplit(account.id, [TestHome.other("nobody")])
    }
    await expectError(.invalidArgument) { try await home.planSplit(account.id, []) }
    await expectError(.userNotFound) { try await home.planSplit(AccountID("none"), keys) }
  }

  @Test func `a plan is outdated after a change, and not after a sign-in`() async throws {
    let account = try await home.shared()
    let plan = try await home.planSplit(account.id, [TestHome.other("bo")])
    _ = try await home.signIn(home.credential("ada"))
    _ = try await home.graph.commit(
      plan, by: Caller(scope: home.scope, authority: .admin("ada"), dryRun: true))
    try await home.update(account.id) { $0.displayName = .set("A. L.") }
    await expectError(.planOutdated) { try await home.graph.commit(plan, by: home.admin) }
  }

  @Test func `only an admin splits, moves and undoes`() async throws {
    let account = try await home.shared()
    let plan = try await home.planSplit(account.id, [TestHome.other("bo")])
    let session = home.session(account.id)
    await expectError(.operationNotAllowed) { try await home.graph.commit(plan, by: session) }
    let receipt = try await home.graph.commit(plan, by: home.admin)
    await expectError(.operationNotAllowed) {
      try await home.graph.undoTransfer(receipt.id, by: session)
    }
    await expectError(.operationNotAllowed) { try await home.graph.undo(receipt.id, by: session) }
  }

  @Test func `a dry run writes nothing, and shows both accounts`() async throws {
    let account = try await home.shared()
    let plan = try await home.planSplit(
      account.id, [TestHome.other("bo")], [.displayName: .move], uid: AccountID("new"))
    let before = try await home.everything()
    var caller = home.admin
    caller.dryRun = true
    let receipt = try await home.graph.commit(plan, by: caller)
    #expect(receipt.dryRun)
    #expect(try await home.everything() == before)
    let names = receipt.changes.map(\.label)
    #expect(names.contains("displayName"))
    #expect(names.contains("account new displayName"))
    #expect(names.contains("identity other.example/bo"))
  }

  @Test func `the event keeps the values of both accounts and goes to the app`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(
      account.id, [TestHome.other("bo")], [.displayName: .move])
    let event = try #require(
      try await home.graph.store.read { try $0.event(receipt.id, in: home.scope) })
    #expect(event.concernsApps && event.action == .split)
    #expect(event.relatedIDs == [AccountID("new")])
    #expect(event.details["moved"] == ["other.example/bo"])
    #expect(event.details["to"] == "new")
    let labels = receipt.changes.map(\.label)
    #expect(labels.contains("displayName") && labels.contains("account new displayName"))
  }
}
