import AuthCore

/// The emulator's pages: a few lines of HTML, and a script for each.
enum EmulatorPages {
  /// Signs in with any identity of a vendor.
  ///
  /// Its title, its texts and the IDs and classes of its elements are those by which tests in browsers find them.
  static func vendor(_ values: JSONValue) -> String {
    page(
      title: "Auth Emulator IDP Login Widget",
      """
      <style>[hidden] { display: none } #accounts-list li { cursor: pointer }</style>
      <h1>Sign in with <span class="js-provider-id"></span></h1>
      <main id="accounts">
        <p>The emulator asks no provider. Choose an account to sign in with.</p>
        <ul id="accounts-list"></ul>
        <p id="no-accounts" hidden>Nobody has signed in with this provider yet.</p>
        <p><button type="button" id="add-account-button" class="js-new-account">Add new account</button>
        <button type="button" class="js-cancel">Cancel</button></p>
      </main>
      <form id="main-form" autocomplete="off" hidden>
        <p><button type="button" id="autogen-button">Auto-generate user information</button></p>
        <p><label for="email-input">Email</label> <input id="email-input" name="email" type="email"></p>
        <p><label><input id="unverified-email-input" type="checkbox"> The address is not verified</label></p>
        <p><label for="display-name-input">Display name (optional)</label>
        <input id="display-name-input" name="name"></p>
        <p><label for="screen-name-input">Screen name (optional)</label>
        <input id="screen-name-input" name="screen_name"></p>
        <p><label for="profile-photo-input">Profile photo URL (optional)</label>
        <input id="profile-photo-input" name="picture"></p>
        <p><button type="button" id="back-button">Back</button>
        <button id="sign-in">Sign in with <span class="js-provider-id"></span></button></p>
      </form>
      <p id="problem" role="status"></p>
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
    <script type="application/json" id="values">\(values.inertText)</script>
    <script>
    \(script)
    </script>
    \(further)
    </html>
    """
  }
}
