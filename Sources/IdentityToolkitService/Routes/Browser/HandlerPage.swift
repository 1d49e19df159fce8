import AuthCore
import IdentityToolkit

/// The pages of a browser sign-in.
///
/// Their scripts are files of this server, so that no page needs a script of its own.
enum HandlerPage {
  /// Shows the error's code and what mends it, and no text of the request.
  static func refusal(_ error: WireError) -> Answer {
    let refusal = HandlerRefusal(error)
    return .page(
      page(
        """
        <h1>You are not signed in</h1>
        <p>The sign-in could not go on (\(refusal.code)). Go back to the app and try again.</p>
        <p>\(refusal.advice)</p>
        """), status: error.status, headers: security())
  }

  /// Passes an event to the app whose page has this address.
  ///
  /// After a popup the event goes to the frame of the waiting page, and otherwise the browser goes back to the page.
  static func handOver(_ event: JSONValue, of web: WebSignIn, to address: String) -> Answer {
    .page(
      page(
        """
        <h1>Sign-in</h1>
        <p id="state" role="status">One moment, please.</p>
        <noscript><p>Switch on JavaScript to sign in.</p></noscript>
        """,
        values: [
          "app": web.app.value, "event": event, "address": .string(address),
          "isPopup": .bool(web.operation.isPopup),
        ], scripts: #"<script src="handler.js" defer></script>"#),
      headers: security(scripts: ["'self'"]))
  }

  /// Waits in an app's page for events, and passes them to the SDK there; without an app there are none.
  static func frame(of app: WebApp?, heldBy origins: [String]) -> Answer {
    .page(
      page(
        "", values: ["app": app?.value ?? .null],
        scripts: """
          <script src="frame.js"></script>
          <script src="https://apis.google.com/js/api.js?onload=authgraphConnect" async></script>
          """),
      headers: security(scripts: ["'self'", "https://apis.google.com"], framedBy: origins))
  }

  private static func page(
    _ body: String, values: JSONValue? = nil, scripts: String = ""
  ) -> String {
    let data =
      values.map { #"<script type="application/json" id="values">\#($0.inertText)</script>"# }
      ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Sign-in</title>
      \(body)
      \(data)
      \(scripts)
      </html>
      """
  }

  /// Returns the header fields of a page with scripts from these sources, which these origins may hold in frames.
  static func security(
    scripts: [String] = [], framedBy origins: [String] = []
  ) -> [String: String] {
    func sources(_ list: [String]) -> String {
      list.isEmpty ? "'none'" : list.joined(separator: " ")
    }
    var fields = [
      "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex",
      "Content-Security-Policy": "default-src 'none'; script-src \(sources(scripts)); "
        + "base-uri 'none'; form-action 'none'; frame-ancestors \(sources(origins))",
    ]
    if origins.isEmpty { fields["X-Frame-Options"] = "DENY" }
    return fields
  }
}
