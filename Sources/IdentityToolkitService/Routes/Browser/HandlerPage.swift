import IdentityToolkit

/// The page of a browser sign-in that fails.
enum HandlerPage {
  /// Shows the error's code, and no text of the request.
  static func refusal(_ error: WireError) -> Answer {
    let isKnown = error.code.allSatisfy {
      $0.isASCII && ($0.isUppercase || "_0123456789".contains($0))
    }
    let code = isKnown ? error.code : "INVALID_REQUEST"
    return .page(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>Sign-in</title>
      <h1>You are not signed in</h1>
      <p>The sign-in could not go on (\(code)). Go back to the app and try again.</p>
      </html>
      """, status: error.status, headers: security)
  }

  static let security = [
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  ]
}
