import AuthCore
import Foundation

/// Holds what a vendor sends back to an app by way of the person's browser.
public struct AuthorizationAnswer: Hashable, Sendable {
  /// How the browser carries it.
  public enum Mode: String, Hashable, Sendable {
    case query
    /// As a POST that a page sends by itself.
    case formPost = "form_post"
  }

  public let redirectURI: String
  /// `code`, `state`, `iss`, `error`, and what else the vendor sends.
  public let parameters: [String: String]
  public let mode: Mode

  public var code: String? { parameters["code"] }
  public var state: String? { parameters["state"] }
  public var error: String? { parameters["error"] }

  /// The redirect URI with the parameters as its query.
  public var url: String { URLText.adding(fields, to: redirectURI) }

  /// The parameters as the body of a form.
  public var formBody: String { URLText.form(fields) }

  private var fields: [(name: String, value: String)] {
    parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The answer as HTTP: a redirect, or a page with a form that sends itself.
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
