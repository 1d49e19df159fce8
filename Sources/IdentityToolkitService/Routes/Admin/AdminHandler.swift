import AuthCore
import IdentityToolkit

/// AuthGraph's own administration.
struct AdminHandler: RequestHandler {
  let call: Call

  /// Returns the admin as the caller, with the body's reason, and as a rehearsal if `dryRun` is set.
  func administrator() throws -> Caller {
    var caller = caller
    caller.reason = try body.filled("reason")
    // A null may come from a client's unset variable, and must not count as a real write.
    guard body.members["dryRun"] != .null else {
      throw AuthError(
        .invalidArgument, "dryRun is null.", field: "dryRun",
        remedy: "Write true or false, or leave it out.")
    }
    caller.dryRun = try body.bool("dryRun") ?? false
    return caller
  }

  /// Returns the page size that the query asks for.
  func pageLimit(_ usual: Int = 100) throws -> Int {
    let asked = try query.integer("limit") ?? Int64(usual)
    guard (1...1000).contains(asked) else {
      throw AuthError(
        .invalidArgument, "A page has 1 to 1,000 entries.", field: "limit",
        remedy: "Ask for fewer, and for the next page with pageToken.")
    }
    return Int(asked)
  }

  /// Returns a required text field of the body.
  func required(_ name: String) throws -> String {
    guard let text = try body.filled(name) else {
      throw AuthError(
        .invalidArgument, "The field \(name) is missing.", field: name, remedy: "Send it.")
    }
    return text
  }

  /// Returns the body's policy script.
  func policySource() throws -> PolicySource {
    PolicySource(name: try required("name"), text: try required("text"))
  }
}
