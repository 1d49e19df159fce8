import AuthCore
import IdentityToolkit

/// The settings of projects and tenants as documents, and lists of what they have.
protocol ProjectBehavior: Sendable {
  /// Returns what clients may know of a project, beside its number.
  func information(_ handler: ProjectHandler) async throws -> [String: JSONValue]
  /// The document of a project's settings.
  func document(ofProject settings: ProjectSettings, _ call: Call) -> JSONValue
  /// The document of a tenant's settings.
  func document(ofTenant settings: ProjectSettings, _ scope: Scope) -> JSONValue
  /// Makes a project's settings what a whole document says.
  func write(project document: JSONValue, to settings: inout ProjectSettings) throws(WireError)
  /// Makes a tenant's settings what a whole document says.
  func write(tenant document: JSONValue, to settings: inout ProjectSettings) throws(WireError)
  /// Returns what a request makes of a document.
  func changed(_ document: JSONValue, by change: DocumentChange) -> JSONValue
  /// Writes what a project's document says that other operations keep.
  func writeFurther(_ change: DocumentChange, _ handler: ConfigurationHandler) async throws
  /// Gives a tenant what is the project's to say.
  func pass(from project: ProjectSettings, to tenant: inout ProjectSettings)
  /// Returns the name behind which a page begins; throws `INVALID_PAGE_SELECTION`.
  func start(ofPage token: String?) throws(WireError) -> String?
  /// Returns the token of the page behind a name.
  func page(after last: String) -> String
  /// Returns how many accounts a page of a download has, given the number asked for; nil is all.
  func limit(ofDownload asked: Int64) throws(WireError) -> Int?
  /// Returns how many tenants a page has, given the number asked for.
  func limit(ofTenants asked: Int64) throws(WireError) -> Int
  /// How many accounts a query finds unless it says so; nil is all.
  var queryLimit: Int? { get }
}

extension ProjectBehavior {
  func information(_ handler: ProjectHandler) async throws -> [String: JSONValue] {
    try await handler.publicInformation()
  }

  func document(ofProject settings: ProjectSettings, _ call: Call) -> JSONValue {
    ConfigDocument.value(settings, call)
  }

  func document(ofTenant settings: ProjectSettings, _ scope: Scope) -> JSONValue {
    TenantDocument.value(settings, scope)
  }

  func write(project document: JSONValue, to settings: inout ProjectSettings) throws(WireError) {
    try ConfigDocument.write(document, to: &settings)
  }

  func write(tenant document: JSONValue, to settings: inout ProjectSettings) throws(WireError) {
    try TenantDocument.write(document, to: &settings)
  }

  /// Puts what a body without a mask holds over what there is, as Google's APIs do.
  func changed(_ document: JSONValue, by change: DocumentChange) -> JSONValue {
    change.mask.isEmpty
      ? document.merging(change.body)
      : change.mask.applied(to: document, from: change.body, clearsMissing: true)
  }

  func writeFurther(_ change: DocumentChange, _ handler: ConfigurationHandler) async throws {
    try await handler.updateTestNumbers(change)
  }

  func pass(from project: ProjectSettings, to tenant: inout ProjectSettings) {
    tenant.oneAccountPerEmail = project.oneAccountPerEmail
    tenant.signIn.blockingFunctions = project.signIn.blockingFunctions
  }

  func start(ofPage token: String?) throws(WireError) -> String? { try PageToken(token).last }
  func page(after last: String) -> String { PageToken(last: last).text }

  func limit(ofDownload asked: Int64) throws(WireError) -> Int? {
    guard asked >= 0 else { throw WireError("INVALID_PAGE_SELECTION") }
    return asked == 0 ? 20 : Int(min(asked, 1000))
  }

  func limit(ofTenants asked: Int64) throws(WireError) -> Int {
    guard asked >= 0 else { throw WireError("INVALID_PAGE_SELECTION") }
    return asked == 0 ? 20 : Int(min(asked, 1000))
  }

  var queryLimit: Int? { AccountQuery.maximum }
}
