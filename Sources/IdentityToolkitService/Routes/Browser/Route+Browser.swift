/// The pages that browsers open during a sign-in with a provider.
extension Route {
  static let browser: [Route] = [
    Route(
      .get, "/__/auth/handler", of: .own, access: .open, name: "browser.handler",
      modes: [.production]
    ) { try await BrowserHandler($0).open() },
    // Vendors such as Apple post their answer (OAuth 2.0 Form Post Response Mode).
    Route(
      .post, "/__/auth/handler", of: .own, access: .open, name: "browser.handler",
      modes: [.production]
    ) { try await BrowserHandler($0).open() },
    Route(
      .get, "/__/auth/handler.js", of: .own, access: .open, name: "browser.handlerScript",
      modes: [.production]
    ) { _ in FrameHandler.script(HandlerScript.text) },
    Route(
      .get, "/__/auth/iframe", of: .own, access: .open, name: "browser.frame",
      modes: [.production]
    ) { try await FrameHandler($0).open() },
    Route(
      .get, "/__/auth/frame.js", of: .own, access: .open, name: "browser.frameScript",
      modes: [.production]
    ) { _ in FrameHandler.script(AppFrameScript.text) },
  ]
}
