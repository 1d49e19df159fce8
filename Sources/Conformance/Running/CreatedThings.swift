import AuthValues

/// Accounts, tenants, resources, tokens of admins and consoles that a case created at the server, to delete them afterwards.
///
/// Only answers of operations that create or sign in are read. Lists of accounts are not, because they have accounts of
/// others.
struct CreatedThings: Sendable {
  private(set) var accounts: Set<Account> = []
  private(set) var tenants: Set<String> = []
  /// The names of resources, such as `projects/p/oauthIdpConfigs/oidc.x`.
  private(set) var resources: Set<String> = []
  /// The paths of tokens and consoles of AuthGraph's administration.
  private(set) var administration: Set<String> = []

  /// A text that is in every name that the case chooses itself.
  private let mark: String

  struct Account: Hashable, Sendable {
    let tenant: String?
    let uid: String
  }

  init(mark: String) {
    self.mark = mark
  }

  /// Notes what a request and its answer created, or deleted.
  mutating func note(_ request: OutgoingRequest, _ answer: IncomingAnswer) {
    let path = request.path.prefix { $0 != "?" }
    let tenant =
      Self.tenant(of: path) ?? request.json?["tenantId"]?.stringValue
      ?? URLText.query(of: "http://x\(request.path)")?["tenantId"]
    // An emulator opens a tenant as soon as it is named.
    if let tenant, tenant.contains(mark) { tenants.insert(tenant) }
    guard (200..<300).contains(answer.status) else { return }
    if request.method == .delete { administration.remove(String(path)) }
    guard request.method == .post else { return }
    let operation = path.split(separator: "/").last.map(String.init) ?? ""
    if Self.creates(operation) {
      // A sign-in may lead to an account that was there before.
      if answer.body["isNewUser"] != false, let uid = Self.uid(of: answer.body) {
        accounts.insert(Account(tenant: tenant, uid: uid))
      }
    } else if ["accounts:batchCreate", "uploadAccount"].contains(operation) {
      guard case .array(let users)? = request.json?["users"] else { return }
      let refused = Self.refusedUploads(answer.body)
      for (index, user) in users.enumerated() where !refused.contains(Int64(index)) {
        guard let uid = user["localId"]?.stringValue else { continue }
        accounts.insert(Account(tenant: tenant, uid: uid))
      }
    } else if operation == "splits", let uid = request.json?["uid"]?.stringValue {
      accounts.insert(Account(tenant: tenant, uid: uid))
    } else if let name = Self.name(of: operation, in: answer.body) {
      administration.insert("\(path)/\(URLText.escaped(name))")
    } else if operation == "tenants", let name = answer.body["name"]?.stringValue {
      tenants.formUnion(name.split(separator: "/").last.map { [String($0)] } ?? [])
    } else if operation.hasSuffix("IdpConfigs") || operation == "inboundSamlConfigs",
      let name = answer.body["name"]?.stringValue
    {
      resources.insert(name)
    }
  }

  /// Returns the name of a token or a console that an operation of AuthGraph's administration made.
  private static func name(of operation: String, in answer: JSONValue) -> String? {
    switch operation {
    case "adminTokens": answer["name"]?.stringValue
    case "console": answer["id"]?.stringValue
    default: nil
    }
  }

  /// Returns the account of a sign-in's answer; that of a custom token names it in its ID token alone.
  private static func uid(of body: JSONValue) -> String? {
    if let uid = body["localId"]?.stringValue { return uid }
    guard let token = body["idToken"]?.stringValue, let parts = TokenParts(token) else {
      return nil
    }
    return TokenParts.object(parts.payload)?["sub"]?.stringValue
  }

  /// Deletes everything, as far as the server allows it, and returns the number of things that are left.
  ///
  /// What is not there any more was deleted by the case itself, and is not left.
  func delete(at target: ConformanceTarget, over transport: any HTTPTransport) async -> Int {
    var left = 0
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async {
      let answer = try? await target.sendAsAdmin(method, path, body, over: transport)
      left += answer.map(Self.left(by:)) ?? 1
    }
    let byTenant = Dictionary(grouping: accounts, by: \.tenant)
    for (tenant, accounts) in byTenant where tenant.map({ !tenants.contains($0) }) ?? true {
      let uids = accounts.map(\.uid).sorted()
      await send(
        .post, target.accountsPath(tenant: tenant) + ":batchDelete",
        ["localIds": .array(uids.map(JSONValue.string)), "force": true])
    }
    for path in administration.sorted() { await send(.delete, path) }
    let base = "/identitytoolkit.googleapis.com/v2/"
    for name in resources.sorted() { await send(.delete, base + name) }
    for tenant in tenants.sorted() {
      let project = URLText.escaped(target.project)
      await send(.delete, "\(base)projects/\(project)/tenants/\(URLText.escaped(tenant))")
    }
    return left
  }

  /// Returns the number of things that the answer to a deletion leaves: those that it names, or the one of a refusal.
  private static func left(by answer: IncomingAnswer) -> Int {
    if answer.status == 200 {
      guard case .array(let errors)? = answer.body["errors"] else { return 0 }
      return errors.count { !isGone($0["message"]?.stringValue) }
    }
    return answer.status == 404 || isGone(answer.errorMessage) ? 0 : 1
  }

  private static func isGone(_ message: String?) -> Bool { message?.contains("NOT_FOUND") ?? false }

  /// The places of the records that an upload left out, such as those of accounts that were there before.
  private static func refusedUploads(_ answer: JSONValue) -> Set<Int64> {
    guard case .array(let errors)? = answer["error"] else { return [] }
    // A server may leave out the place 0.
    return Set(
      errors.map { error in
        if case .integer(let index)? = error["index"] { index } else { 0 }
      })
  }

  /// Tells whether an operation can create an account; a sign-in by password cannot.
  private static func creates(_ operation: String) -> Bool {
    guard operation != "accounts:signInWithPassword" else { return false }
    let signsIn = ["accounts:signUp", "accounts:signIn"].contains(where: operation.hasPrefix)
    return signsIn || operation == "accounts"
      || [
        "signupNewUser", "verifyAssertion", "verifyCustomToken", "verifyPhoneNumber",
        "emailLinkSignin",
      ].contains(operation)
  }

  private static func tenant(of path: Substring) -> String? {
    let parts = path.split(separator: "/")
    guard let index = parts.firstIndex(of: "tenants"), index + 1 < parts.count else { return nil }
    return String(parts[index + 1].prefix { $0 != ":" })
  }
}
