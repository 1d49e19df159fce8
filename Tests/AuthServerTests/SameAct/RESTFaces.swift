import AuthCore
import Testing

@testable import IdentityToolkitService

/// Firebase's protocol as a client speaks it, with the ID token of the account.
struct ClientFace: Face {
  let name = FaceName.client

  func can(_ act: Act) -> Bool {
    switch act {
    case .link, .merge, .unlink(_, force: false), .changeEmail(_, verified: nil): true
    case .assert, .unlink, .changeEmail, .changeNumber, .bring: false
    }
  }

  func perform(_ act: Act, on stage: Stage) async throws {
    let token = try await stage.idToken(of: stage.me)
    switch act {
    case .link(let shown): try Refused.unlessDone(try await link(shown, token, stage))
    case .unlink(let provider, _):
      try await update(["deleteProvider": [.string(provider.rawValue)]], token, stage)
    case .changeEmail(let email, _): try await update(["email": .string(email)], token, stage)
    case .merge:
      let other = try await stage.idToken(of: try #require(stage.other))
      try Refused.unlessDone(try await stage.server.merge(other, into: token))
    case .assert, .changeNumber, .bring: throw Wordless(face: name)
    }
  }

  private func update(
    _ changes: [String: JSONValue], _ token: String, _ stage: Stage
  ) async throws {
    var body = changes
    body["idToken"] = .string(token)
    try Refused.unlessDone(try await stage.server.post(ServerHome.update, .object(body)))
  }

  private func link(_ shown: Shown, _ token: String, _ stage: Stage) async throws -> Reply {
    let server = stage.server
    switch shown {
    case .vendor(let subject, let email):
      return try await stage.show(
        SameProvider.token(subject, email: email), linkingTo: token)
    case .password(let email):
      return try await server.post(
        ServerHome.signUp,
        [
          "idToken": .string(token), "email": .string(email),
          "password": .string(Shown.password), "returnSecureToken": true,
        ])
    case .mail(let email):
      let link = try await stage.sentLink(to: email)
      let code = try #require(parameters(of: link)["oobCode"])
      return try await server.post(
        "/v1/accounts:signInWithEmailLink",
        ["idToken": .string(token), "email": .string(email), "oobCode": .string(code)])
    case .number(let number):
      let sent = try await server.phoneCode(number)
      return try await server.post(
        "/v1/accounts:signInWithPhoneNumber",
        [
          "idToken": .string(token), "sessionInfo": .string(sent.session),
          "code": .string(sent.code), "operation": "LINK",
        ])
    }
  }
}

/// Firebase's protocol as the Admin SDKs speak it.
struct AdminSDKFace: Face {
  let name = FaceName.adminSDK

  func can(_ act: Act) -> Bool {
    switch act {
    case .assert, .unlink(_, force: false), .changeEmail, .changeNumber: true
    case .bring(let newcomer): !newcomer.isRecord
    case .link, .unlink, .merge: false
    }
  }

  func perform(_ act: Act, on stage: Stage) async throws {
    var changes: [String: JSONValue] = [:]
    switch act {
    case .assert(let provider, let subject, let email):
      var identity: [String: JSONValue] = [
        "providerId": .string(provider.rawValue), "rawId": .string(subject),
      ]
      identity["email"] = email.map(JSONValue.string)
      changes["linkProviderUserInfo"] = .object(identity)
    case .unlink(let provider, _): changes["deleteProvider"] = [.string(provider.rawValue)]
    case .changeEmail(let email, let verified):
      changes["email"] = .string(email)
      changes["emailVerified"] = verified.map(JSONValue.bool)
    case .changeNumber(let number): changes["phoneNumber"] = .string(number)
    case .bring(let newcomer): return try await create(newcomer, stage)
    case .link, .merge: throw Wordless(face: name)
    }
    try Refused.unlessDone(try await stage.server.adminUpdate(stage.me.uid, changes))
  }

  private func create(_ newcomer: Newcomer, _ stage: Stage) async throws {
    var body: [String: JSONValue] = ["localId": .string(newcomer.uid)]
    body["email"] = newcomer.email.map(JSONValue.string)
    if newcomer.email != nil { body["emailVerified"] = .bool(newcomer.isVerified) }
    body["phoneNumber"] = newcomer.number.map(JSONValue.string)
    if newcomer.isGuarded { body["mfaInfo"] = .array([newcomer.factor(id: nil)]) }
    // An invalid uid is refused before there is anything to audit.
    try Refused.unlessDone(
      try await stage.server.admin("POST", stage.server.accountsPath, .object(body)),
      codes: ["INVALID_LOCAL_ID": AuthError.Code.invalidUID.rawValue])
  }
}

/// AuthGraph's own admin API, which merges and reads.
struct AdministrationFace: Face {
  let name = FaceName.administration

  func can(_ act: Act) -> Bool { if case .merge = act { true } else { false } }

  func perform(_ act: Act, on stage: Stage) async throws {
    guard can(act) else { throw Wordless(face: name) }
    let reply = try await stage.server.admin(
      "POST", "\(stage.server.adminRoot)/merges",
      ["keep": "me", "absorb": "other", "reason": "test"])
    guard reply.status != 200 else { return }
    throw Refused(code: reply.json["error"]?["reason"]?.stringValue, said: reply.text)
  }
}
