import AuthCore
import AuthTesting
import SQLiteStore
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  /// Signs in by a link to an address, which creates an account if there is none.
  func enterByLink(_ email: String, _ more: [String: JSONValue] = [:]) async throws -> Reply {
    let code = try await code("EMAIL_SIGNIN", to: email)
    var body = more
    body["email"] = .string(email)
    body["oobCode"] = .string(code)
    return try await post("/v1/accounts:signInWithEmailLink", .object(body))
  }

  /// Returns the code with which an old address undoes a change; nil if none was sent.
  func takeBackCode(to email: String) -> String? {
    let message = messages.messages.last { $0.recipient == email && $0.kind == .recoverEmail }
    return message.flatMap { parameters(of: $0.proof.reveal())["oobCode"] }
  }

  func use(_ code: String, _ more: [String: JSONValue] = [:]) async throws -> Reply {
    var body = more
    body["oobCode"] = .string(code)
    return try await post(Self.update, .object(body))
  }

  /// Changes an address with the code that is sent to the new one.
  func changeAddress(_ idToken: String, to new: String) async throws -> Reply {
    let code = try await code(
      "VERIFY_AND_CHANGE_EMAIL", to: new,
      ["idToken": .string(idToken), "newEmail": .string(new)])
    return try await use(code)
  }
}

/// The accounts that may change an address, the messages about it, and the sign-in methods left.
@Suite(.serialized) struct `F4 The one way for an address to change` {
  private static let old = "old@example.com"
  private static let new = "new@example.com"

  /// The state of the account's address before the change.
  enum Before: CaseIterable {
    case verified, unverified, anonymous
  }

  enum Path: CaseIterable {
    case linkPassword, replacePassword, emailLink, update, verifiedChange, admin

    func take(_ person: SignedUp, _ home: ServerHome) async throws -> Reply {
      let session = person.session
      switch self {
      case .linkPassword, .replacePassword:
        return try await home.post(
          ServerHome.signUp,
          ["idToken": .string(person.idToken), "email": .string(new), "password": "a new secret"])
      case .emailLink:
        return try await home.enterByLink(new, ["idToken": .string(person.idToken)])
      case .update:
        return try await home.post(
          ServerHome.update, ["idToken": session["idToken"] ?? .null, "email": .string(new)])
      case .verifiedChange: return try await home.changeAddress(person.idToken, to: new)
      case .admin: return try await home.adminUpdate(person.uid, ["email": .string(new)])
      }
    }
  }

  /// A row of the table.
  struct Row: CustomTestStringConvertible {
    let path: Path
    let before: Before
    /// True if answers hide who has an account.
    var isHidden = true
    let moves: Bool
    let tells: Bool
    let waysIn: [ProviderID]

    var testDescription: String { "\(path), \(before), hidden: \(isHidden)" }
  }

  static let rows: [Row] = [
    Row(path: .linkPassword, before: .verified, moves: false, tells: false, waysIn: [.emailLink]),
    Row(
      path: .linkPassword, before: .verified, isHidden: false, moves: false, tells: false,
      waysIn: [.emailLink]),
    Row(path: .linkPassword, before: .anonymous, moves: true, tells: false, waysIn: [.password]),
    Row(path: .replacePassword, before: .verified, moves: false, tells: false, waysIn: [.password]),
    Row(
      path: .replacePassword, before: .verified, isHidden: false, moves: false, tells: false,
      waysIn: [.password]),
    Row(
      path: .replacePassword, before: .unverified, isHidden: false, moves: true, tells: false,
      waysIn: [.password]),
    Row(
      path: .emailLink, before: .verified, moves: true, tells: true,
      waysIn: [.password, .emailLink]),
    Row(
      path: .emailLink, before: .unverified, moves: true, tells: false,
      waysIn: [.password, .emailLink]),
    Row(path: .emailLink, before: .anonymous, moves: true, tells: false, waysIn: [.emailLink]),
    Row(path: .update, before: .verified, moves: false, tells: false, waysIn: [.password]),
    Row(
      path: .update, before: .verified, isHidden: false, moves: false, tells: false,
      waysIn: [.password]),
    Row(path: .update, before: .unverified, moves: false, tells: false, waysIn: [.password]),
    Row(
      path: .update, before: .unverified, isHidden: false, moves: true, tells: false,
      waysIn: [.password]),
    Row(path: .verifiedChange, before: .verified, moves: true, tells: true, waysIn: [.password]),
    Row(path: .verifiedChange, before: .unverified, moves: true, tells: false, waysIn: [.password]),
    Row(path: .admin, before: .verified, moves: true, tells: false, waysIn: [.password]),
    Row(path: .admin, before: .unverified, moves: true, tells: false, waysIn: [.password]),
  ]

  @Test(arguments: rows)
  func `F4: a path moves the address or not, and notifies the old mailbox or not`(
    _ row: Row
  ) async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      try await home.touch()
      try await home.setSettings { $0.signIn.hidesAccounts = row.isHidden }
      let person: SignedUp
      switch row.before {
      case .anonymous: person = try await home.openAnonymously()
      case .unverified: person = try await home.openAccount(Self.old)
      case .verified where row.path == .linkPassword:
        person = try SignedUp(try await home.enterByLink(Self.old))
      case .verified:
        let opened = try await home.openAccount(Self.old)
        await home.verified(opened.uid)
        person = try SignedUp(try await home.enter(Self.old, "opensesame"))
      }
      home.clock.advance(seconds: 1)

      let reply = try await row.path.take(person, home)

      #expect((reply.status == 200) == row.moves, "\(reply.text)")
      if !row.moves {
        #expect(
          reply.message
            == "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
      }
      let account = try await home.stored(person.uid)
      #expect(account.email?.text == (row.moves ? Self.new : Self.old))
      #expect((home.takeBackCode(to: Self.old) != nil) == row.tells)
      #expect(account.identities.map(\.provider) == row.waysIn)
      let addresses = account.identities.map(\.key.subject)
      #expect(addresses.allSatisfy { $0 == account.email?.canonical }, "\(addresses)")
      if row.before == .verified, row.path != .admin { #expect(account.emailVerified) }
      guard row.tells, let code = home.takeBackCode(to: Self.old) else { return }
      home.clock.advance(seconds: 1)
      let back = try await home.use(code)
      #expect(back.json["email"] == .string(Self.old), "\(back.text)")
      #expect(back.json["emailVerified"] == true)
    }
  }

  @Test func `F4: an own merge notifies the mailbox that goes, whose link undoes it`() async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let owner = try SignedUp(try await home.enterByLink(Self.old))
      let thief = try SignedUp(try await home.enterByLink(Self.new))
      home.clock.advance(seconds: 1)

      let merged = try await home.merge(owner.idToken, into: thief.idToken)

      #expect(merged.status == 200, "\(merged.text)")
      #expect(home.takeBackCode(to: Self.new) == nil)
      let code = try #require(home.takeBackCode(to: Self.old))
      home.clock.advance(seconds: 1)
      let back = try await home.use(code)
      #expect(back.json["localId"] == .string(owner.uid), "\(back.text)")
      #expect(back.json["email"] == .string(Self.old))
      #expect(
        try await home.stored(owner.uid).identities.map(\.key) == [
          .emailLink(try EmailAddress(Self.old))
        ])
      #expect(try await home.stored(thief.uid).email?.text == Self.new)
      for token in [try merged.text("idToken"), owner.idToken, thief.idToken] {
        #expect(
          try await home.post("/v1/accounts:lookup", ["idToken": .string(token)]).status == 400)
      }
      #expect(try await home.use(code).message == "INVALID_OOB_CODE")
    }
  }

  @Test func `F4: a policy leaves no verified address for an unverified one`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let owner = try SignedUp(try await home.enterByLink(Self.old))
      let other = try await home.openAccount(Self.new)
      try await home.decideMerges(
        "return merge { into = c.existing, from = c.current, fields = { email = \"keep\" } }")
      let merged = try await home.merge(owner.idToken, into: other.idToken)
      #expect(merged.message?.hasPrefix("MERGE_REFUSED") == true, "\(merged.text)")
      #expect(try await home.stored(owner.uid).email?.text == Self.old)
    }
  }

  @Test func `F4: the emulator links a password of another address, as Firebase's does`()
    async throws
  {
    try await withServer(.emulator, store: try SQLiteStore.inMemory()) { home in
      let owner = try SignedUp(try await home.enterByLink(Self.old))
      let linked = try await Path.linkPassword.take(owner, home)
      #expect(linked.status == 200, "\(linked.text)")
      #expect(home.takeBackCode(to: Self.old) == nil)
    }
  }
}

/// An account that never verified an address gives way to the owner of the mailbox.
@Suite(.serialized) struct `F3 A mailbox beats an unverified holder` {
  private static let mine = "owner@example.com"
  private static let other = "other@example.com"

  @Test func `F3: a take-back link gets the address back from a throw-away account`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let owner = try await home.person(Self.mine)
      home.clock.advance(seconds: 1)
      _ = try await home.changeAddress(owner.idToken, to: "thief@example.com")
      let squatter = try await home.openAccount(Self.mine)
      let code = try #require(home.takeBackCode(to: Self.mine))
      home.clock.advance(seconds: 1)

      let back = try await home.use(code)

      #expect(back.status == 200, "\(back.text)")
      let account = try await home.stored(owner.uid)
      #expect(account.email?.text == Self.mine && account.emailVerified)
      #expect(try await home.signIn(Self.mine).json["localId"] == .string(owner.uid))
      let left = try await home.stored(squatter.uid)
      #expect(left.email == nil && left.identities.isEmpty)
      #expect(try await home.enter(Self.mine, "opensesame").status == 400)
      #expect(
        try await home.post("/v1/accounts:lookup", squatter.session).message == "TOKEN_EXPIRED")
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.scope).first {
          $0.action == .useActionCode
            && $0.details["operation"] == "RECOVER_EMAIL"
        })
      #expect(event.relatedIDs.map(\.rawValue) == [squatter.uid])
    }
  }

  @Test(arguments: [true, false])
  func `F3: a change to an address beats an unverified holder from before or after the request`(
    _ isEarlier: Bool
  ) async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let owner = try await home.person(Self.mine)
      var squatter: SignedUp?
      if isEarlier { squatter = try await home.openAccount(Self.other) }
      let code = try await home.code(
        "VERIFY_AND_CHANGE_EMAIL", to: Self.other,
        ["idToken": .string(owner.idToken), "newEmail": .string(Self.other)])
      if !isEarlier { squatter = try await home.openAccount(Self.other) }
      let changed = try await home.use(code)
      #expect(changed.json["email"] == .string(Self.other), "\(changed.text)")
      #expect(try await home.stored(try #require(squatter).uid).email == nil)
    }
  }

  @Test func `F3: a link to an address beats an unverified holder`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let squatter = try await home.openAccount(Self.other)
      let owner = try await home.person(Self.mine)
      let linked = try await home.enterByLink(Self.other, ["idToken": .string(owner.idToken)])
      #expect(linked.json["localId"] == .string(owner.uid), "\(linked.text)")
      #expect(try await home.stored(owner.uid).email?.text == Self.other)
      #expect(try await home.stored(squatter.uid).email == nil)
    }
  }

  @Test func `F3: an anonymous person enters the account that holds the address, and keeps it`()
    async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let holder = try await home.openAccount(Self.other)
      let anonymous = try await home.openAnonymously()
      let linked = try await home.enterByLink(
        Self.other, ["idToken": .string(anonymous.idToken)])
      #expect(linked.message == "EMAIL_EXISTS", "\(linked.text)")
      #expect(try await home.stored(holder.uid).email?.text == Self.other)
      let entered = try await home.enterByLink(Self.other)
      #expect(entered.json["localId"] == .string(holder.uid))
    }
  }

  @Test func `F3: an account that verified the address keeps it`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let owner = try await home.person(Self.mine)
      _ = try await home.changeAddress(owner.idToken, to: Self.other)
      let next = try await home.person(Self.mine)
      home.clock.advance(seconds: 1)
      let code = try #require(home.takeBackCode(to: Self.mine))
      #expect(try await home.use(code).message == "EMAIL_EXISTS")
      #expect(try await home.stored(next.uid).emailVerified)
      let linked = try await home.enterByLink(
        Self.mine,
        [
          "idToken": .string(
            try await home.signedIn(Self.other).idToken)
        ])
      #expect(linked.message == "EMAIL_EXISTS")
    }
  }

  @Test func `F3: an admin's word beats no holder`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      _ = try await home.openAccount(Self.other)
      let owner = try await home.person(Self.mine)
      let moved = try await home.adminUpdate(
        owner.uid, ["email": .string(Self.other), "emailVerified": true])
      #expect(moved.message == "EMAIL_EXISTS")
    }
  }
}

/// The links and codes of an address that is replaced.
@Suite(.serialized) struct `The ways in of an old address` {
  private static let old = "ol@example.com"
  private static let new = "nw@example.com"

  private func asksByLink(_ home: ServerHome, _ email: String) async throws -> String? {
    try await home.enterByLink(email).json["localId"]?.stringValue
  }

  @Test func `F6: the old mailbox keeps no hidden link when a password moves the address`()
    async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let person = try SignedUp(try await home.enterByLink(Self.old))
      _ = try await home.adminUpdate(person.uid, ["emailVerified": false])
      home.clock.advance(seconds: 1)
      let linked = try await home.post(
        ServerHome.signUp,
        ["idToken": .string(person.idToken), "email": .string(Self.new), "password": "opensesame"])
      #expect(linked.status == 200, "\(linked.text)")
      #expect(try await home.stored(person.uid).identities.map(\.provider) == [.password])
      #expect(try await asksByLink(home, Self.old) != person.uid)
    }
  }

  @Test func `F6: the old mailbox keeps no hidden link when a link moves the address`()
    async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      try await home.touch()
      try await home.setSettings { $0.identitiesPerProvider = .many }
      let person = try SignedUp(try await home.enterByLink(Self.old))
      home.clock.advance(seconds: 1)
      let linked = try await home.enterByLink(Self.new, ["idToken": .string(person.idToken)])
      #expect(linked.status == 200, "\(linked.text)")
      #expect(try await home.stored(person.uid).identities.map(\.key.subject) == [Self.new])
      #expect(home.takeBackCode(to: Self.old) != nil)
      #expect(try await asksByLink(home, Self.old) != person.uid)
    }
  }

  @Test func `F7: a second request to change the address voids the first`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let person = try await home.person(Self.old)
      func ask(_ new: String) async throws -> String {
        try await home.code(
          "VERIFY_AND_CHANGE_EMAIL", to: new,
          ["idToken": .string(person.idToken), "newEmail": .string(new)])
      }
      let typo = try await ask("typo@example.com")
      let byAdmin = try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project)/accounts:sendOobCode",
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "email": .string(Self.old),
          "newEmail": "typo2@example.com", "returnOobLink": true,
        ])
      let right = try await ask(Self.new)
      #expect(try await home.use(typo).message == "INVALID_OOB_CODE")
      let second = try byAdmin.text("oobCode")
      #expect(try await home.use(second).message == "INVALID_OOB_CODE")
      #expect(try await home.use(right).json["email"] == .string(Self.new))
    }
  }

  @Test func `F16: a link moves with an address whose mailbox was shown`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let person = try SignedUp(try await home.enterByLink(Self.old))
      home.clock.advance(seconds: 1)
      let changed = try await home.changeAddress(person.idToken, to: Self.new)
      let entry = changed.json["providerUserInfo"]?.items.first
      #expect(entry?["providerId"] == "password" && entry?["email"] == .string(Self.new))
      #expect(try await asksByLink(home, Self.new) == person.uid)
      let code = try #require(home.takeBackCode(to: Self.old))
      home.clock.advance(seconds: 1)
      #expect(try await home.use(code).status == 200)
      #expect(try await asksByLink(home, Self.old) == person.uid)
      #expect(try await asksByLink(home, Self.new) != person.uid)
    }
  }

  @Test func `F16: a link moves with an address that an admin says is verified`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let person = try SignedUp(try await home.enterByLink(Self.old))
      let refused = try await home.adminUpdate(person.uid, ["email": .string(Self.new)])
      #expect(
        refused.message
          == "OPERATION_NOT_ALLOWED : The account signs in by links to its address alone, and the new one is not verified."
      )
      let moved = try await home.adminUpdate(
        person.uid, ["email": .string(Self.new), "emailVerified": true])
      #expect(moved.status == 200, "\(moved.text)")
      #expect(
        try await home.adminRecord(person.uid)?["providerUserInfo"]?.items.first?["email"]
          == .string(Self.new))
      #expect(try await asksByLink(home, Self.new) == person.uid)
      let typed = try await home.adminUpdate(
        person.uid, ["email": "third@example.com", "password": "opensesame"])
      #expect(typed.status == 200, "\(typed.text)")
      #expect(try await home.stored(person.uid).identities.map(\.provider) == [.password])
    }
  }

  @Test func `F16: a link that another account signs in with stays that one's`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let other = try SignedUp(try await home.enterByLink(Self.new))
      _ = try await home.adminUpdate(other.uid, ["emailVerified": false])
      try await home.graph.store.write { writer in
        let account = try #require(try writer.account(AccountID(other.uid), in: home.scope))
        var moved = account
        moved.email = try EmailAddress("elsewhere@example.com")
        try writer.update(moved, replacing: account)
      }
      let person = try SignedUp(try await home.enterByLink(Self.old))
      home.clock.advance(seconds: 1)
      let changed = try await home.changeAddress(person.idToken, to: Self.new)
      #expect(changed.json["email"] == .string(Self.new), "\(changed.text)")
      #expect(try await asksByLink(home, Self.new) == other.uid)
    }
  }

  @Test func `F19: a session sets no password while passwords are closed`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let person = try SignedUp(try await home.enterByLink(Self.old))
      try await home.setSettings { $0.signIn.closedProviders = [.password] }
      let reply = try await home.post(
        ServerHome.update, ["idToken": .string(person.idToken), "password": "opensesame"])
      #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(reply.text)")
      #expect(try await home.stored(person.uid).identities.map(\.provider) == [.emailLink])
      let byAdmin = try await home.adminUpdate(person.uid, ["password": "opensesame"])
      #expect(byAdmin.status == 200, "\(byAdmin.text)")
    }
  }
}

extension ServerHome {
  /// Has an admin set an account's address as verified.
  fileprivate func verified(_ uid: String) async {
    do {
      let reply = try await adminUpdate(uid, ["emailVerified": true])
      #expect(reply.status == 200, "\(reply.text)")
    } catch {
      Issue.record(error)
    }
  }
}
