import AuthValues
import Foundation
import IdentityToolkit
import TestSupport

@testable import AuthClient

/// The article on the error codes, made from their declarations and one example of each.
struct ErrorArticle {
  let errors: [AuthError.Code: AuthError]

  var markdown: String {
    get throws {
      var lines = [Self.beginning]
      var group = ""
      for declared in DeclaredCode.all {
        if declared.group != group {
          group = declared.group
          lines += ["", "## \(group.hasSuffix(".") ? String(group.dropLast()) : group)"]
        }
        lines += ["", try section(declared)]
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private static let beginning = """
    # Error codes

    Every error code with its meaning, an example and its codes for clients.

    ## Overview

    An `AuthError` has a code that programs compare, a message that says what is wrong, often the field at fault, and a
    remedy. The console and the command line print all four in one line, as the examples show. The admin API answers
    with `reason`, `message`, `field` and `remedy`.

    Firebase's API has other codes. Each section names the status and the message of its answer, and the code that
    AuthClient makes of it; some routes answer with a code of their own, as Firebase does. Details that could help an
    attacker are left out there.

    A test provokes each example, and writes this article if `AUTHGRAPH_WRITE_REFERENCE` is set.
    """

  private func section(_ declared: DeclaredCode) throws -> String {
    let error = try errors[declared.code].unwrapped("example of \(declared.code)")
    let wire = WireError(error)
    let refusal = NSError.refusal(status: wire.status, body: Data(wire.body.text.utf8))
    let client = try AuthErrorCode(refusal).unwrapped("client's code of \(declared.code)")
    return """
      ### \(declared.code)

      \(declared.meaning)

      ```
      \(error)
      ```

      Firebase's API: \(wire.status) `\(wire.code)`. AuthClient: `\(client)`.
      """
  }
}
