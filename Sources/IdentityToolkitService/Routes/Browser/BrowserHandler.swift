import AuthCore
import IdentityToolkit

/// Sign-in with a provider in a browser, which the provider sends back here.
struct BrowserHandler: RequestHandler {
  let call: Call

  /// Begins a sign-in in a browser, or takes the vendor's answer when the browser comes back.
  ///
  /// It signs no account in and links nothing. The app receives a token for the verified identity, and sends it to
  /// `accounts:signInWithIdp` together with its own session. So a link to this page gives no access.
  func open() async throws -> Answer {
    let answer = query.members.merging(body.members) { _, posted in posted }
      .compactMapValues(\.stringValue)
    do {
      if let state = answer["state"], !state.isEmpty { return try await finish(answer, state) }
      return try await begin(answer)
    } catch let error as WireError {
      return HandlerPage.refusal(error)
    } catch let error as AuthError {
      return HandlerPage.refusal(WireError(error))
    }
  }

  private var isSecure: Bool { services.settings.publicURL.lowercased().hasPrefix("https:") }

  private func begin(_ asked: [String: String]) async throws -> Answer {
    guard let id = asked["providerId"], !id.isEmpty else { throw WireError("MISSING_PROVIDER_ID") }
    let scope = try await scope(of: asked)
    let settings = try await graph.settings(of: scope)
    guard let address = asked["redirectUrl"], !address.isEmpty else {
      throw WireError("MISSING_CONTINUE_URI")
    }
    guard let url = ContinueURL(address) else { throw WireError("INVALID_CONTINUE_URI") }
    guard url.takesCredentials(settings.signIn, publicURL: services.settings.publicURL) else {
      throw WireError("UNAUTHORIZED_DOMAIN")
    }
    let caller = Caller(scope: scope, authority: .anyone, client: client)
    let provider = try graph.providers.vendor(ProviderID(id.lowercased()))
    let header = call.headers["cookie"]
    let lax = BrowserCookie.lax.value(in: header, isSecure: isSecure) ?? BrowserCookie.newValue()
    let authorization = try await graph.beginAuthorization(
      provider.id, redirectURI: services.handlerAddress, session: lax,
      scopes: try Self.scopes(asked["scopes"]),
      parameters: try Self.parameters(asked["customParameters"]),
      by: caller)
    var echoed: [String: String] = [:]
    echoed["eventId"] = asked["eventId"]
    let session: String
    if let digest = asked["sessionId"], !digest.isEmpty {
      session = digest.lowercased()
    } else {
      let made = BrowserCookie.newValue()
      session = BrowserReturn.digest(ofSession: made)
      echoed["sessionId"] = made
    }
    let cookie: BrowserCookie =
      authorization.url.contains("response_mode=form_post") ? .posted : .lax
    let place = BrowserReturn(
      address: address, provider: provider.id, scope: scope,
      ending: .server(cookie: cookie, session: session), echoed: echoed)
    try await place.keep(for: authorization, services)
    return .redirect(
      authorization.url,
      headers: [
        "Set-Cookie": cookie.field(lax, isSecure: isSecure), "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      ])
  }

  private func finish(_ answer: [String: String], _ state: String) async throws -> Answer {
    guard let note = try await graph.redeemRedirectNote(state, in: services.returnScope),
      let place = BrowserReturn(note)
    else { throw AuthError.refusedCallback("its state is unknown, used or too old") }
    guard case .server(let cookie, let session) = place.ending else {
      // Only the app that knows the session of the sign-in can use this answer.
      let answer = answer.merging(["providerId": place.provider.rawValue]) { _, own in own }
      return place.going(
        with: answer.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
    guard let browser = cookie.value(in: call.headers["cookie"], isSecure: isSecure) else {
      throw AuthError.refusedCallback("it began in another browser")
    }
    var caller = Caller(scope: place.scope, authority: .anyone)
    caller.client = client
    do {
      let taken = try await graph.finishAuthorization(
        place.provider, callback: answer, redirectURI: services.handlerAddress, session: browser,
        by: caller)
      let verified = try await graph.verify(taken.credential, by: caller)
      let token = try await graph.storePendingCredential(verified, session: session)
      return place.going(with: [
        (name: "providerId", value: place.provider.rawValue),
        (name: "pending_token", value: token.reveal()),
      ])
    } catch let error as AuthError where error.step != .state || error.field == "error" {
      return place.going(with: [
        (name: "providerId", value: place.provider.rawValue),
        (name: "error", value: error.field == "error" ? "USER_CANCELLED" : WireError(error).code),
      ])
    }
  }

  /// Returns the project of the API key, with the tenant that the app names.
  private func scope(of asked: [String: String]) async throws -> Scope {
    let keys = services.settings.apiKeys
    guard let key = asked["apiKey"], !key.isEmpty else { throw WireError.missingKey }
    guard let project = keys.isEmpty ? services.settings.project : keys[key] else {
      throw WireError.invalidKey
    }
    let tenant = asked["tid"] ?? asked["tenantId"]
    let scope = Scope(project: project, tenant: tenant.flatMap { $0.isEmpty ? nil : $0 })
    try await services.scopes.require(scope)
    return scope
  }

  /// Reads a list, as JSON or separated by commas.
  private static func scopes(_ text: String?) throws(WireError) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    let most = RouteBounds.scopes
    if case .array(let values)? = try RouteBounds.json(text, of: "scopes", most: most) {
      return values.compactMap(\.stringValue)
    }
    return try RouteBounds.words(text, of: "scopes", most: most)
  }

  /// Reads a JSON object of texts.
  private static func parameters(_ text: String?) throws(WireError) -> [String: String] {
    let most = RouteBounds.customParameters
    guard let text,
      case .object(let members)? = try RouteBounds.json(text, of: "customParameters", most: most)
    else { return [:] }
    return members.compactMapValues(\.stringValue)
  }
}
