import AuthCore
import IdentityToolkit

/// The frame through which a web app's page hears of its sign-ins, and the scripts of both pages.
struct FrameHandler: RequestHandler {
  let call: Call

  /// Shows the frame, for pages at the domains of the API key's project alone.
  ///
  /// Another page gets a frame without an app, which hears of nothing: the SDK there goes on, and learns from the
  /// project's configuration whether the key or the domain is wrong.
  func open() async throws -> Answer {
    do {
      let app = try WebApp(query.members.compactMapValues(\.stringValue))
      let settings = try await settings(ofKey: app.apiKey)
      if let stranger = stranger(to: settings) {
        return HandlerPage.frame(of: nil, heldBy: [stranger])
      }
      guard let settings else { throw WireError.invalidKey }
      let holders = FrameHolders(
        settings, publicURL: services.settings.publicURL, referrer: call.headers["referer"])
      return HandlerPage.frame(of: app, heldBy: holders.sources)
    } catch let error as WireError {
      return HandlerPage.refusal(error)
    }
  }

  /// Returns the settings of the key's project; nil for an unknown key.
  private func settings(ofKey key: String) async throws -> SignInSettings? {
    guard let project = try? behavior.project(ofKey: key, services.settings) else { return nil }
    return try await graph.settings(of: Scope(project: project)).signIn
  }

  /// Returns the origin of the page that asks, if the browser names it and it may not hold the project's frame.
  private func stranger(to settings: SignInSettings?) -> String? {
    guard let page = call.headers["referer"].flatMap(ContinueURL.init), let origin = page.origin
    else { return nil }
    guard let settings else { return origin }
    return page.takesCredentials(settings, publicURL: services.settings.publicURL) ? nil : origin
  }

  static func script(_ text: String) -> Answer {
    .text(text, type: "text/javascript; charset=utf-8")
  }
}
