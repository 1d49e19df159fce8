import AuthCore

/// A page behind a link of an e-mail: a heading, an explanation, and a form or a link.
///
/// It needs no script. Its address holds a code, so it sends no referrer, allows no frames and is not cached.
struct ActionPage: Sendable {
  var title: String
  var paragraphs: [String]
  /// The error of the form's input.
  var problem: String?
  var form: Form?
  /// The link to go on with: its label and address.
  var next: (label: String, address: String)?
  var status = 200

  init(_ title: String, _ paragraphs: [String]) {
    self.title = title
    self.paragraphs = paragraphs
  }

  /// A form that the person submits to confirm.
  struct Form: Sendable {
    let button: String
    let fields: [(name: String, value: String)]
    /// The label of the button that refuses, if a refusal is possible.
    var refusal: String?
    /// The minimum length of the new password, if the form asks for one.
    var passwordLength: Int?
  }

  var answer: Answer { .page(html, status: status, headers: Self.headers) }

  private static let headers = [
    "Cache-Control": "no-store",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
      + "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
  ]

  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(Self.escaped(title))</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <main>
    <h1>\(Self.escaped(title))</h1>
    \(problemHTML)\(paragraphs.map { "<p>\(Self.escaped($0))</p>\n" }.joined())\(formHTML)\(nextHTML)</main>
    </body>
    </html>

    """
  }

  private var problemHTML: String {
    problem.map { "<p id=\"problem\" role=\"alert\">\(Self.escaped($0))</p>\n" } ?? ""
  }

  private var formHTML: String {
    guard let form else { return "" }
    let hidden = form.fields.map {
      "<input type=\"hidden\" name=\"\(Self.escaped($0.name))\" value=\"\(Self.escaped($0.value))\">\n"
    }
    var password = ""
    if let length = form.passwordLength {
      let described = problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"problem\""
      password = """
        <label for="newPassword">New password</label>
        <input type="password" id="newPassword" name="newPassword" autocomplete="new-password" \
        minlength="\(length)" maxlength="4096" required autofocus\(described)>

        """
    }
    return """
      <form method="post" action="/__/auth/action">
      \(hidden.joined())\(password)<button type="submit">\(Self.escaped(form.button))</button>
      \(refusalHTML)
      </form>

      """
  }

  /// A second button of the form; browsers send the field `answer` only if it was pressed.
  private var refusalHTML: String {
    form?.refusal.map {
      "<button type=\"submit\" name=\"answer\" value=\"refuse\" formnovalidate>\(Self.escaped($0))</button>"
    } ?? ""
  }

  private var nextHTML: String {
    guard let next else { return "" }
    return
      "<p><a rel=\"noreferrer\" href=\"\(Self.escaped(next.address))\">\(Self.escaped(next.label))</a></p>\n"
  }

  /// Escapes text for an element or a quoted attribute.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static let style = """
    :root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0}\
    main{max-width:28rem;margin:15vh auto 0;padding:0 1rem}h1{font-size:1.5rem}\
    label,input,button{display:block;font:inherit}input{width:100%;box-sizing:border-box;\
    padding:.5rem;margin:.25rem 0 1rem}button{padding:.5rem 1.25rem;margin:.5rem 0}\
    [role=alert]{border-left:.25rem solid #b00020;padding-left:.75rem}
    """
}
