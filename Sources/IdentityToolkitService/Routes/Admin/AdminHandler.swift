import AuthCore
import IdentityToolkit

/// AuthGraph's own administration.
struct AdminHandler: RequestHandler {
  let call: Call

  /// The admin who asks, with the body's reason and whether it is a rehearsal.
  func administrator() throws -> Caller {
    var caller = caller
    caller.reason = try body.filled("reason")
    // A client whose variable was not set must not write for it.
    guard body.members["dryRun"] != .null else {
      throw AuthError(
        .invalidArgument, "dryRun is null.", field: "dryRun",
        remedy: "Write true or false, or leave it out.")
    }
    caller.dryRun = try body.bool("dryRun") ?? false
    return caller
  }

  /// How many entries a page is to have.
  func pageLimit(_ usual: Int = 100) throws -> Int {
    let asked = try query.integer("limit") ?? Int64(usual)
    guard (1...1000).contains(asked) else {
      throw AuthError(
        .invalidArgument, "A page has 1 to 1,000 entries.", field: "limit",
        remedy: "Ask for fewer, and for the next page with pageToken.")
    }
    return Int(asked)
  }

  /// A field of the body that has to be there.
  func required(_ name: String) throws -> String {
    guard let text = try body.filled(name) else {
      throw AuthError(
        .invalidArgument, "The field \(name) is missing.", field: name, remedy: "Send it.")
    }
    return text
  }

  /// The body's script.
  func policySource() throws -> PolicySource {
    PolicySource(name: try required("name"), text: try required("text"))
  }
}
