import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// A server with the accounts before the act.
struct Stage: Sendable {
  let server: ServerHome
  let me: StagedAccount
  let other: StagedAccount?

  /// Returns the ID token of a new session.
  func idToken(of staged: StagedAccount) async throws -> String {
    if let email = staged.email, staged.hasPassword {
      return try await server.signedIn(email).idToken
    }
    let subject = try #require(staged.subjects.first)
    return try await show(SameProvider.token(subject)).text("idToken")
  }

  /// Sends a vendor's ID token, to sign in or to link to a session.
  func show(_ token: String, linkingTo idToken: String? = nil) async throws -> Reply {
    let form = URLText.form([
      (name: "providerId", value: SameProvider.id.rawValue), (name: "id_token", value: token),
    ])
    var body: [String: JSONValue] = [
      "requestUri": "http://localhost", "postBody": .string(form), "returnSecureToken": true,
    ]
    body["idToken"] = idToken.map(JSONValue.string)
    return try await server.post("/v1/accounts:signInWithIdp", .object(body))
  }

  /// Sends a sign-in link to an address and returns it.
  func sentLink(to email: String) async throws -> String {
    try await server.link("EMAIL_SIGNIN", to: email)
  }

  /// Makes the accounts before the act.
  func set(_ situation: Situation) async throws {
    try await server.touch()
    try await server.setSettings(situation.settings)
    try await seat(me)
    if let other { try await seat(other) }
    try await situation.prepare(self)
  }

  private func seat(_ staged: StagedAccount) async throws {
    let id = AccountID(staged.uid)
    var changes = ProfileChanges()
    // Like after a session of some interfaces, so that merges find no other difference.
    changes.lastSignInAt = server.clock.now
    if let email = staged.email {
      changes.email = .set(try EmailAddress(email))
      changes.emailVerified = staged.isVerified
      if staged.hasPassword { changes.password = Secret(Person.password) }
    }
    if let number = staged.number { changes.phoneNumber = .set(try PhoneNumber(number)) }
    var factors: [FactorEntry] = []
    if staged.isGuarded {
      factors = [FactorEntry(id: "factor-1", phoneNumber: try PhoneNumber("+15555550199"))]
    }
    _ = try await server.graph.create(changes, uid: id, factors: factors, by: server.admin)
    var keys = staged.subjects.map { IdentityKey(SameProvider.id, subject: $0) }
    if let email = staged.email, staged.hasLink {
      keys.append(.emailLink(try EmailAddress(email)))
    }
    for key in keys {
      _ = try await server.graph.assert(
        key, profile: IdentityProfile(), on: id, by: server.admin)
    }
  }
}

extension Newcomer {
  /// The account as a record of a file or an upload.
  var record: JSONValue {
    var record: [String: JSONValue] = ["localId": .string(uid)]
    record["email"] = email.map(JSONValue.string)
    if email != nil { record["emailVerified"] = .bool(isVerified) }
    record["phoneNumber"] = number.map(JSONValue.string)
    if hasLink { record["emailLinkSignin"] = true }
    if !subjects.isEmpty {
      record["providerUserInfo"] = .array(
        subjects.map { ["providerId": .string(SameProvider.id.rawValue), "rawId": .string($0)] })
    }
    if isGuarded { record["mfaInfo"] = .array([factor(id: "factor-2")]) }
    return .object(record)
  }

  func factor(id: String?) -> JSONValue {
    var factor: [String: JSONValue] = ["phoneInfo": .string(Self.factorNumber)]
    factor["mfaEnrollmentId"] = id.map(JSONValue.string)
    return .object(factor)
  }

  /// Returns the account as a program makes it.
  func account(in scope: Scope, at now: Timestamp) throws -> Account {
    var account = Account(id: AccountID(uid), scope: scope, createdAt: now)
    account.validSince = now
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = email != nil && isVerified
    account.phoneNumber = try number.map { try PhoneNumber($0) }
    var keys = subjects.map { IdentityKey(SameProvider.id, subject: $0) }
    if let number = account.phoneNumber, numberSignsIn { keys.append(.phone(number)) }
    if let email = account.email, hasLink { keys.append(.emailLink(email)) }
    account.identities = keys.map { Identity(key: $0, origin: .imported, linkedAt: now) }
    if isGuarded {
      account.secondFactors = [
        SecondFactor(id: "factor-2", kind: .phone(try PhoneNumber(Self.factorNumber)))
      ]
    }
    return account
  }

  func imported(to stage: Stage) throws -> ImportedAccount {
    let server = stage.server
    return ImportedAccount(account: try account(in: server.scope, at: server.clock.now), line: 1)
  }
}
