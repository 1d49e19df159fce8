import AuthCore
import IdentityToolkit
import SessionTokens

/// An operation of AuthGraph's own administration, with all that its description contains.
///
/// The route and its entry in the OpenAPI document are made from the same value, so they cannot differ.
struct AdminOperation: Sendable {
  let method: Route.Method
  /// The path after `/admin/v1`.
  let path: String
  let id: String
  let summary: String
  let needs: AdminScope
  /// The parameters of the query.
  var query: [Schema.Member] = []
  /// The members of the body.
  var body: [Schema.Member] = []
  /// The schema of the answer.
  let answer: JSONValue
  /// The statuses of errors besides 400, 401, 403 and 500, each with its condition.
  var errors: [Int: String] = [:]
  /// True if the operation does not exist where everybody is an admin: in an emulator that other machines can reach.
  var needsGenuineAdmin = false
  let handler: @Sendable (AdminHandler) async throws -> Answer

  static let root = "/admin/v1"

  var route: Route {
    Route(
      method, Self.root + path, of: .own, access: .admin(needs.rawValue), name: "admin.\(id)",
      scope: needs.rawValue,
      fields: method == .get ? nil : body.map { RouteField($0.name, $0.schema) } + ["tenantId"],
      worksWhileDisabled: true, needsGenuineAdmin: needsGenuineAdmin
    ) { call in
      do {
        try checkConditions(of: call)
        return try await handler(AdminHandler(call))
      } catch let error as AuthError {
        return try Self.answer(error)
      }
    }
  }

  /// Refuses a query parameter that is misspelt or empty, because a list without it would contain everything.
  private func checkConditions(of call: Call) throws(AuthError) {
    let names = query.map(\.name)
    let conditions = call.query.members.filter {
      !["tenantId", "pageToken", "key"].contains($0.key)
    }
    for (name, value) in conditions.sorted(by: { $0.key < $1.key }) {
      guard names.contains(name) else {
        throw AuthError(
          .invalidArgument, "There is no parameter \"\(name)\" here.", field: name,
          remedy: suggestion(for: name, among: names))
      }
      guard value.stringValue?.allSatisfy(\.isWhitespace) == true else { continue }
      throw AuthError(
        .invalidArgument, "The parameter \(name) is empty.", field: name,
        remedy: "Give it a value, or leave it out.")
    }
  }

  /// Makes the answer to an error.
  ///
  /// Errors of the server itself are thrown on, without details for the admin.
  private static func answer(_ error: AuthError) throws -> Answer {
    guard let status = status(of: error.code) else { throw error }
    var body: [String: JSONValue] = [
      "code": .integer(Int64(status)), "reason": .string(error.code.rawValue),
      "message": .string(error.message),
    ]
    body.put("remedy", error.remedy)
    body.put("field", error.field)
    body.put("eventID", error.eventID)
    return .json(["error": .object(body)], status: status)
  }

  private static func status(of code: AuthError.Code) -> Int? {
    switch code {
    case .internalError, .storeUnavailable: nil
    case .unsureCommit: 503
    case .userNotFound, .eventNotFound, .tenantNotFound: 404
    case .planOutdated, .mergeRefused, .undoRefused, .tooMuchContention, .ambiguous: 409
    case .operationNotAllowed: 403
    default: 400
    }
  }
}

extension AdminOperation {
  /// Every operation of the administration.
  static let all =
    accounts + waysIn + merges + mergeOffers + transfers + events + duplicates + policies
    + policyVersions + policyDecisions + hooks + keys + adminTokens
    + plugins
    + deadLetters + consoles
}

extension Route {
  /// The routes of AuthGraph's own administration, for bearers of admin tokens.
  static let admin: [Route] =
    AdminOperation.all.map(\.route) + [
      Route(
        .get, "\(AdminOperation.root)/openapi.json", of: .own, access: .open, name: "admin.openapi"
      ) { .json(AdminDescription.document($0)) }
    ]
}
