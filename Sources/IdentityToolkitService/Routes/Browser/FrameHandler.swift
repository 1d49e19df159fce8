import AuthCore
import IdentityToolkit

/// The frame through which a web app's page hears of its sign-ins, and the scripts of both pages.
struct FrameHandler: RequestHandler {
  let call: Call

  /// Shows the frame, for pages at the domains of the API key's project alone.
  func open() async throws -> Answer {
    do {
      let app = try WebApp(query.members.compactMapValues(\.stringValue))
      let project = try behavior.project(ofKey: app.apiKey, services.settings)
      let settings = try await graph.settings(of: Scope(project: project))
      let holders = FrameHolders(
        settings.signIn, publicURL: services.settings.publicURL, referrer: call.headers["referer"])
      return HandlerPage.frame(of: app, heldBy: holders.sources)
    } catch let error as WireError {
      return HandlerPage.refusal(error)
    }
  }

  static func script(_ text: String) -> Answer {
    .text(text, type: "text/javascript; charset=utf-8")
  }
}
