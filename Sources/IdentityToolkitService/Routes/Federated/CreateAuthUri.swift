import AuthCore
import BuiltInProviders
import IdentityToolkit

extension FederatedHandler {
  /// Returns the providers of an address, or the URL at which a browser signs in with a provider.
  func createAuthURI() async throws -> Answer {
    let provider = try body.filled("providerId")
    let identifier = try body.filled("identifier")
    let continueURI = try body.filled("continueUri")
    if provider == nil, identifier == nil { throw WireError("MISSING_IDENTIFIER") }
    guard let continueURI else { throw WireError("MISSING_CONTINUE_URI") }
    let email = identifier.flatMap { try? EmailAddress($0) }
    if identifier != nil, email == nil { throw WireError("INVALID_IDENTIFIER") }
    guard let place = ContinueURL(continueURI) else { throw WireError("INVALID_CONTINUE_URI") }
    let settings = try await settings()
    // Without a provider nobody is led there.
    if provider != nil {
      try behavior.checkReturn(
        to: place, settings.signIn, publicURL: services.settings.publicURL)
    }
    // The length is Firebase's.
    let session = try body.filled("sessionId") ?? RandomText.letters(27)
    var members: [String: JSONValue] = [
      "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(session),
    ]
    if let provider {
      members["providerId"] = .string(provider)
      members["authUri"] = .string(
        try await authorizationURL(
          ProviderID(provider.lowercased()), session: session, continueURI: continueURI, email))
    }
    if let email, !settings.signIn.hidesAccounts {
      let ways = try await WaysIn(of: email, oneAccountPerEmail: settings.oneAccountPerEmail, call)
      members["registered"] = .bool(ways.isRegistered)
      members["allProviders"] = .array(ways.providers.map(JSONValue.string))
      members["signinMethods"] = .array(ways.methods.map(JSONValue.string))
      if let provider {
        members["forExistingProvider"] = .bool(ways.providers.contains(provider))
      }
    }
    return .json(.object(members))
  }

  /// Begins a sign-in whose answer the app passes on itself, with the session that it began for.
  private func authorizationURL(
    _ id: ProviderID, session: String, continueURI: String, _ email: EmailAddress?
  ) async throws -> String {
    let provider = try await vendor(id, in: scope)
    var parameters: [String: String] = [:]
    // The names are the vendor's own and stay unchanged.
    if case .object(let members)? = body.value("customParameter") {
      parameters = members.compactMapValues(\.stringValue)
    }
    if let email { parameters["login_hint"] = email.text }
    if let domain = try body.filled("hostedDomain") { parameters["hd"] = domain }
    let scopes = try body.filled("oauthScope").map { text throws(WireError) in
      try RouteBounds.words(text, of: "oauthScope", most: RouteBounds.scopes)
    }
    let authorization = try await graph.beginAuthorization(
      provider.id, redirectURI: services.handlerAddress, session: session,
      scopes: scopes ?? [], parameters: parameters, by: caller)
    let place = BrowserReturn(
      address: continueURI, provider: provider.id, scope: scope, ending: .app)
    try await place.keep(for: authorization, services)
    return authorization.url
  }
}

/// The providers of the account with an address, as `fetchSignInMethodsForEmail` returns them.
struct WaysIn: Sendable {
  private(set) var providers: [String] = []
  private(set) var methods: [String] = []
  /// True if an account has the address, even if only its provider gave it.
  private(set) var isRegistered = false

  /// Reads the account that has the address, or else one whose provider gave it.
  ///
  /// If several accounts may have one address, only the password of that address is listed.
  init(of email: EmailAddress, oneAccountPerEmail: Bool, _ call: Call) async throws {
    var filter = AccountFilter()
    filter.email = email
    var found = try await call.graph.accounts(matching: filter, limit: 2, in: call.scope)
    if found.isEmpty {
      found = try await call.behavior.accounts(given: email, call)
      isRegistered = !found.isEmpty
      guard oneAccountPerEmail else { return }
    }
    defer { isRegistered = isRegistered || !providers.isEmpty }
    guard let account = found.first(where: \.emailVerified) ?? found.first else { return }
    let hasPassword = account.identities.contains { $0.provider == .password && $0.secret != nil }
    let hasLink = account.identities.contains { $0.provider == .emailLink }
    if hasPassword || hasLink {
      providers.append("password")
      if hasPassword { methods.append("password") }
      if hasLink { methods.append("emailLink") }
    }
    guard oneAccountPerEmail else { return }
    for name in account.vendors(besides: [.password, .emailLink, .phone, .custom]) {
      providers.append(name.rawValue)
      methods.append(name.rawValue)
    }
  }
}

extension Account {
  /// Returns the providers of its identities except some, each once, in the order in which they were linked.
  func vendors(besides own: Set<ProviderID>) -> [ProviderID] {
    var seen = own
    return identities.map(\.provider).filter { seen.insert($0).inserted }
  }
}
