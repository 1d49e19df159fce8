import AuthCore
import IdentityToolkit

/// The browser's return from the vendor.
extension BrowserHandler {
  func finish(_ answer: [String: String], _ state: String) async throws -> Answer {
    guard let note = try await graph.redeemRedirectNote(state, in: services.returnScope),
      let place = BrowserReturn(note)
    else { throw AuthError.refusedCallback("its state is unknown, used or too old") }
    switch place.ending {
    case .app:
      // Only the app that knows the session of the sign-in can use this answer.
      let answer = answer.merging(["providerId": place.provider.rawValue]) { _, own in own }
      return place.going(
        with: answer.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    case .server(let cookie, let session):
      return try await goOn(to: place, with: answer, from: try browser(by: cookie), for: session)
    case .page(let cookie, let web):
      try requirePage()
      // The project may have given up the domain meanwhile.
      try await requireDomain(of: place.address, in: place.scope)
      let outcome = try await outcome(of: place, with: answer, from: try browser(by: cookie))
      return HandlerPage.handOver(
        web.event(outcome, tenant: place.scope.tenant), of: web, to: place.address)
    }
  }

  /// Returns the session of the browser, or throws if the sign-in began in another one.
  private func browser(by cookie: BrowserCookie) throws -> String {
    guard let browser = cookie.value(in: call.headers["cookie"], isSecure: isSecure) else {
      throw AuthError.refusedCallback("it began in another browser")
    }
    return browser
  }

  /// Redirects to the app with a token for the verified identity, or with the code of a refusal.
  private func goOn(
    to place: BrowserReturn, with answer: [String: String], from browser: String,
    for session: String
  ) async throws -> Answer {
    let provider = (name: "providerId", value: place.provider.rawValue)
    do {
      let token = try await token(of: answer, at: place, from: browser, for: session)
      return place.going(with: [provider, (name: "pending_token", value: token)])
    } catch let error as AuthError where Self.isOfThisBrowser(error) {
      let code = error.field == "error" ? "USER_CANCELLED" : WireError(error).code
      return place.going(with: [provider, (name: "error", value: code)])
    }
  }

  /// Returns the outcome of a web app's sign-in.
  private func outcome(
    of place: BrowserReturn, with answer: [String: String], from browser: String
  ) async throws -> WebSignIn.Outcome {
    let session = BrowserCookie.newValue()
    do {
      let token = try await token(
        of: answer, at: place, from: browser, for: BrowserReturn.digest(ofSession: session))
      let fields = [
        (name: "providerId", value: place.provider.rawValue),
        (name: "pending_token", value: token),
      ]
      return .verified(
        address: "\(services.handlerAddress)#\(URLText.form(fields))", session: session)
    } catch let error as AuthError where Self.isOfThisBrowser(error) {
      guard error.field == "error", let word = answer["error"] else { return .refused(error) }
      return Self.cancellations.contains(word) ? .cancelled : .refused(error)
    }
  }

  /// True for an error that the app may learn: an answer to its own request, which was refused by the vendor or here.
  private static func isOfThisBrowser(_ error: AuthError) -> Bool {
    error.step != .state || error.field == "error"
  }

  /// The words of vendors for a person's own refusal: OAuth's (RFC 6749, section 4.1.2.1), Apple's and LinkedIn's.
  private static let cancellations: Set<String> = [
    "access_denied", "user_cancelled_authorize", "user_cancelled_login",
  ]

  /// Verifies the vendor's answer, and stores the identity for a session.
  private func token(
    of answer: [String: String], at place: BrowserReturn, from browser: String,
    for session: String
  ) async throws -> String {
    let caller = Caller(scope: place.scope, authority: .anyone, client: client)
    let taken = try await graph.finishAuthorization(
      place.provider, callback: answer, redirectURI: services.handlerAddress, session: browser,
      by: caller)
    let verified = try await graph.verify(taken.credential, by: caller)
    return try await graph.storePendingCredential(verified, session: session).reveal()
  }
}
