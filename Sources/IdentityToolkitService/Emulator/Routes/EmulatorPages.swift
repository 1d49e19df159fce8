import AuthCore

/// The emulator's pages: a few lines of HTML, and a script for each.
enum EmulatorPages {
  /// Signs in with any identity of a vendor.
  static func vendor(_ values: JSONValue) -> String {
    page(
      title: "Sign-in with a made-up account",
      """
      <h1>Sign in with <span id="provider"></span></h1>
      <p>The emulator asks no provider. Choose an account to sign in with.</p>
      <ul id="known"></ul>
      <form id="new">
        <h2>New account</h2>
        <p><label>E-mail <input name="email" type="email"></label></p>
        <p><label>Name <input name="name"></label></p>
        <p><label>Screen name <input name="screen_name"></label></p>
        <p><label>Picture <input name="picture" type="url"></label></p>
        <p><button>Sign in</button></p>
      </form>
      <p id="problem" role="alert"></p>
      """, values: values, script: VendorScript.text)
  }

  /// Passes the chosen identity to the app's page.
  static func frame(_ values: JSONValue) -> String {
    page(
      title: "Sign-in", "", values: values,
      script: FrameScript.text,
      further: #"<script src="https://apis.google.com/js/api.js?onload=begin" async></script>"#)
  }

  private static func page(
    title: String, _ body: String, values: JSONValue, script: String, further: String = ""
  ) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(title)</title>
    \(body)
    <script type="application/json" id="values">\(inert(values))</script>
    <script>
    \(script)
    </script>
    \(further)
    </html>
    """
  }

  /// Escapes JSON, so that no tag can begin or end in it.
  private static func inert(_ values: JSONValue) -> String {
    values.text
      .replacing(bytes: ["<": "\\u003c", ">": "\\u003e", "&": "\\u0026"])
      .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
  }
}
