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

  var isSecure: Bool { services.settings.publicURL.lowercased().hasPrefix("https:") }

  private func begin(_ asked: [String: String]) async throws -> Answer {
    guard let id = asked["providerId"], !id.isEmpty else { throw WireError("MISSING_PROVIDER_ID") }
    let web = try WebSignIn(asked)
    if web != nil { try requirePage() }
    let scope = try await scope(of: asked)
    let address = try Self.address(asked, of: web)
    try await requireDomain(of: address, in: scope)
    let provider = ProviderID(id.lowercased())
    guard let web else { return try await leave(for: provider, from: address, asked, in: scope) }
    func handOver(_ outcome: WebSignIn.Outcome) -> Answer {
      HandlerPage.handOver(web.event(outcome, tenant: scope.tenant), of: web, to: address)
    }
    do {
      return try await leave(for: provider, from: address, asked, of: web, in: scope)
    } catch let error as AuthError {
      return handOver(.refused(error))
    } catch let error as WireError {
      return handOver(.refused(error))
    }
  }

  /// Sends the browser to the vendor.
  private func leave(
    for id: ProviderID, from address: String, _ asked: [String: String], of web: WebSignIn? = nil,
    in scope: Scope
  ) async throws -> Answer {
    let provider = try await vendor(id, in: scope)
    let lax =
      BrowserCookie.lax.value(in: call.headers["cookie"], isSecure: isSecure)
      ?? BrowserCookie.newValue()
    let authorization = try await graph.beginAuthorization(
      provider.id, redirectURI: services.handlerAddress, session: lax,
      scopes: try Self.scopes(asked["scopes"]),
      parameters: try Self.parameters(asked["customParameters"]),
      by: Caller(scope: scope, authority: .anyone, client: client))
    let cookie: BrowserCookie =
      authorization.url.contains("response_mode=form_post") ? .posted : .lax
    let place =
      web.map {
        BrowserReturn(
          address: address, provider: provider.id, scope: scope,
          ending: .page(cookie: cookie, web: $0))
      } ?? Self.place(of: asked, at: address, for: provider.id, in: scope, cookie)
    try await place.keep(for: authorization, services)
    return .redirect(
      authorization.url,
      headers: [
        "Set-Cookie": cookie.field(lax, isSecure: isSecure), "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      ])
  }
}
