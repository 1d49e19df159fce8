import AuthCore
import Foundation

/// A vendor's answer to an app, by way of the person's browser.
public struct AuthorizationAnswer: Hashable, Sendable {
  /// The transport through the browser.
  public enum Mode: String, Hashable, Sendable {
    case query
    /// A POST by a page that submits itself.
    case formPost = "form_post"
  }

  /// The app's address for the answer.
  public let redirectURI: String
  /// The parameters `code`, `state`, `iss`, `error`, and the vendor's own.
  public let parameters: [String: String]
  /// The transport through the browser.
  public let mode: Mode

  /// The authorization code.
  public var code: String? { parameters["code"] }
  /// The state of the request.
  public var state: String? { parameters["state"] }
  /// The error code of a refusal.
  public var error: String? { parameters["error"] }

  /// The redirect URI with the parameters as its query.
  public var url: String { URLText.adding(fields, to: redirectURI) }

  /// The parameters as the body of a form.
  public var formBody: String { URLText.form(fields) }

  private var fields: [(name: String, value: String)] {
    parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The answer as HTTP: a redirect, or a page with a form that submits itself.
  var response: VendorResponse {
    switch mode {
    case .query: .redirect(to: url)
    case .formPost: .text(page, type: "text/html; charset=utf-8")
    }
  }

  private var page: String {
    let inputs = fields.map {
      "<input type=\"hidden\" name=\"\(HTMLText.escaped($0.name))\" value=\"\(HTMLText.escaped($0.value))\">"
    }
    return """
      <!doctype html><title>Signing in</title>
      <body onload="document.forms[0].submit()">
      <form method="post" action="\(HTMLText.escaped(redirectURI))">\(inputs.joined())
      <noscript><button>Continue</button></noscript></form>
      """
  }
}
