import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// An act at one server that ends the sessions of an account.
struct EndingAct: Sendable {
  /// The account whose sessions end, and what belongs to it.
  struct Subject: Sendable {
    let email: String
    let number: String
    var uid = ""
    /// The uid of another account of the same person.
    var other = ""
    var merge = ""
  }

  let name: String
  /// True if the account's record shows the end to Admin SDKs, which know nothing of identities and owners.
  var isShown = true
  /// Makes the account, at the first server.
  var open: @Sendable (ServerHome, inout Subject) async throws -> Void = {
    $1.uid = try await $0.person($1.email).uid
  }
  /// Signs in, at the first server.
  var enter: @Sendable (ServerHome, Subject) async throws -> Reply = {
    try await $0.signIn($1.email)
  }
  /// Ends the sessions, at the second server.
  let end: @Sendable (ServerHome, Subject) async throws -> Void
  /// Signs in again, at the first server; nil for the same way as before.
  var enterAgain: (@Sendable (ServerHome, Subject) async throws -> Reply)?

  static let all = ofAdmins + ofPeople + ofOwners

  private static let withPhone: @Sendable (ServerHome, Subject) async throws -> Reply = {
    try await $0.showPhone(try await $0.signIn($1.email), $1.number)
  }

  private static func update(
    _ home: ServerHome, _ subject: Subject, _ changes: [String: JSONValue]
  ) async throws {
    let reply = try await home.adminUpdate(subject.uid, changes)
    #expect(reply.status == 200, "\(reply.text)")
  }

  /// Signs the same account in on another device, at the given server.
  private static func device(_ home: ServerHome, _ subject: Subject) async throws -> SignedUp {
    try SignedUp(try await home.signIn(subject.email))
  }

  /// Gives the account another identity, and splits it off.
  private static func split(_ home: ServerHome, _ subject: Subject) async throws -> Receipt {
    let key = IdentityKey(.google, subject: "other-\(subject.email)")
    let id = AccountID(subject.uid)
    _ = try await home.graph.assert(key, profile: IdentityProfile(), on: id, by: home.admin)
    let plan = try await home.graph.planSplit(
      id, by: SplitRules(identities: [key]), in: home.scope)
    return try await home.graph.commit(plan, by: home.admin)
  }

  private static let ofAdmins = [
    EndingAct(name: "a password by an admin") {
      try await update($0, $1, ["password": .string(Person.password)])
    },
    EndingAct(name: "a revocation") {
      _ = try await $0.graph.revokeSessions(of: AccountID($1.uid), by: $0.admin)
    },
    EndingAct(name: "a revocation by an Admin SDK beside the second server") {
      let now = $0.clock.now.milliseconds / 1000
      try await update($0, $1, ["validSince": .string(String(now))])
    },
    EndingAct(name: "two revocations by that SDK in one second") {
      let now = $0.clock.now.milliseconds / 1000
      for _ in 0..<2 { try await update($0, $1, ["validSince": .string(String(now))]) }
    },
    EndingAct(name: "disabling and enabling") {
      try await update($0, $1, ["disableUser": true])
      try await update($0, $1, ["disableUser": false])
    },
    EndingAct(name: "another address, and the first again") {
      try await update($0, $1, ["email": .string("x-\($1.email)"), "emailVerified": true])
      try await update($0, $1, ["email": .string($1.email), "emailVerified": true])
    },
    EndingAct(
      name: "a second factor by an admin",
      end: { try await $0.guardWithPhone($1.uid, $1.number) }, enterAgain: withPhone),
    EndingAct(
      name: "a second factor that an admin takes away",
      open: {
        $1.uid = try await $0.person($1.email).uid
        try await $0.guardWithPhone($1.uid, $1.number)
      }, enter: withPhone,
      end: {
        var update = AccountUpdate()
        update.factors = []
        _ = try await $0.graph.update(AccountID($1.uid), update, by: $0.admin)
      }, enterAgain: { try await $0.signIn($1.email) }),
    EndingAct(
      name: "a merge with an account that has a second factor",
      open: {
        $1.uid = try await $0.person($1.email).uid
        $1.other = try await $0.person("bo-\($1.email)").uid
        try await $0.guardWithPhone($1.other, $1.number)
      },
      end: {
        let plan = try await $0.graph.planMerge(
          keep: AccountID($1.uid), absorb: AccountID($1.other), in: $0.scope)
        _ = try await $0.graph.commit(plan, by: $0.admin)
      }, enterAgain: withPhone),
    EndingAct(
      name: "the undoing of a merge",
      open: {
        $1.uid = try await $0.person($1.email).uid
        $1.other = try await $0.person("bo-\($1.email)").uid
        let plan = try await $0.graph.planMerge(
          keep: AccountID($1.uid), absorb: AccountID($1.other), in: $0.scope)
        $1.merge = try await $0.graph.commit(plan, by: $0.admin).id
      }
    ) { _ = try await $0.graph.undoMerge($1.merge, by: $0.admin) },
    EndingAct(name: "a split of an identity that the session did not begin with") {
      _ = try await split($0, $1)
    },
    EndingAct(
      name: "the undoing of a split",
      open: {
        $1.uid = try await $0.person($1.email).uid
        $1.merge = try await split($0, $1).id
      }
    ) { _ = try await $0.graph.undo($1.merge, force: true, by: $0.admin) },
    EndingAct(name: "an import over the account") {
      let account = try #require(try await $0.graph.account(AccountID($1.uid), in: $0.scope))
      let outcomes = try await $0.graph.importRecords(
        [ImportedAccount(account: account, line: 0)], overwriting: true, by: $0.admin)
      #expect(outcomes.count == 1)
    },
  ]

  private static let ofPeople = [
    EndingAct(name: "a reset of the password") {
      let code = try await $0.code("PASSWORD_RESET", to: $1.email)
      let reply = try await $0.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": .string(Person.password)])
      #expect(reply.status == 200, "\(reply.text)")
    },
    EndingAct(name: "an end of the sessions among the ways in") {
      let tokens = try await device($0, $1)
      let reply = try await $0.post(
        "/v1/accounts:endWaysIn",
        ["idToken": .string(tokens.idToken), "waysIn": ["sessions"]])
      #expect(reply.status == 200, "\(reply.text)")
    },
    EndingAct(name: "a password by another session") {
      let tokens = try await device($0, $1)
      let reply = try await $0.post(
        ServerHome.update,
        ["idToken": .string(tokens.idToken), "password": .string(Person.password)])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await $0.ownRecord(try reply.text("idToken"))["localId"] == .string($1.uid))
    },
    EndingAct(name: "the end of all sessions by another one") {
      let tokens = try await device($0, $1)
      let reply = try await $0.post(
        ServerHome.update, ["idToken": .string(tokens.idToken), "validSince": "1"])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await $0.refresh(try reply.text("refreshToken")).status == 200)
    },
    EndingAct(
      name: "an enrolment by another session",
      end: {
        let tokens = try await device($0, $1)
        try await $0.enroll($1.number, tokens.idToken)
      }, enterAgain: withPhone),
    EndingAct(
      name: "a password that another session links",
      open: { $1.uid = try SignedUp(try await $0.enterByPhone($1.number)).uid },
      enter: { try await $0.enterByPhone($1.number) },
      end: {
        let tokens = try SignedUp(try await $0.enterByPhone($1.number))
        let reply = try await $0.post(
          ServerHome.signUp,
          [
            "idToken": .string(tokens.idToken), "email": .string($1.email),
            "password": .string(Person.password),
          ])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try await $0.ownRecord(try reply.text("idToken"))["localId"] == .string($1.uid))
      }),
    EndingAct(name: "a request to verify that the mailbox refuses") {
      let tokens = try await device($0, $1)
      let code = try await $0.code(
        "VERIFY_EMAIL", to: $1.email, ["idToken": .string(tokens.idToken)])
      _ = try await $0.graph.refuseActionCode(
        code, by: Caller(scope: $0.scope, authority: .anyone))
    },
  ]

  private static let ofOwners = [
    EndingAct(
      name: "a take-over",
      open: { $1.uid = try await $0.openAccount($1.email, password: Person.password).uid },
      end: {
        let owner = try SignedUp(try await $0.enterByLink($1.email))
        #expect(owner.uid == $1.uid)
      }, enterAgain: { try await $0.enterByLink($1.email) }),
    EndingAct(
      name: "a deletion, and a new account of the same uid", isShown: false,
      end: {
        let (id, email) = (AccountID($1.uid), try EmailAddress($1.email))
        _ = try await $0.graph.delete(id, by: $0.admin)
        var changes = ProfileChanges()
        changes.email = .set(email)
        changes.password = Secret(Person.password)
        _ = try await $0.graph.create(changes, uid: id, by: $0.admin)
      }),
    EndingAct(
      name: "an unlink of the way in, which is linked again", isShown: false,
      open: {
        $1.uid = try await $0.person($1.email).uid
        try await update($0, $1, ["phoneNumber": .string($1.number)])
      },
      enter: { try await $0.enterByPhone($1.number) },
      end: {
        let phone = IdentityKey.phone(try PhoneNumber($1.number))
        _ = try await $0.graph.unlink(.phone, from: AccountID($1.uid), by: $0.admin)
        _ = try await $0.graph.assert(
          phone, profile: IdentityProfile(), on: AccountID($1.uid), by: $0.admin)
      }),
    EndingAct(
      name: "a number that an admin changes, and changes back", isShown: false,
      open: {
        $1.uid = try await $0.person($1.email).uid
        try await update($0, $1, ["phoneNumber": .string($1.number)])
      },
      enter: { try await $0.enterByPhone($1.number) },
      end: {
        try await update($0, $1, ["phoneNumber": "+15555559999"])
        try await update($0, $1, ["phoneNumber": .string($1.number)])
      }),
  ]
}
