import AuthCore
import IdentityToolkit

/// Decisions on the documents of projects and tenants, and on their lists.
protocol ProjectBehavior: Sendable {
  /// Returns the public information of a project, besides its number.
  func information(_ handler: ProjectHandler) async throws -> [String: JSONValue]
  /// Returns the document of a project's settings.
  func document(ofProject settings: ProjectSettings, _ call: Call) -> JSONValue
  /// Returns the document of a tenant's settings.
  func document(ofTenant settings: ProjectSettings, _ scope: Scope) -> JSONValue
  /// Replaces a project's settings with those of a whole document.
  func write(project document: JSONValue, to settings: inout ProjectSettings) throws(WireError)
  /// Replaces a tenant's settings with those of a whole document.
  func write(tenant document: JSONValue, to settings: inout ProjectSettings) throws(WireError)
  /// Returns the document after a request's change.
  func changed(_ document: JSONValue, by change: DocumentChange) -> JSONValue
  /// Writes the parts of a project's document that other operations store.
  func writeFurther(_ change: DocumentChange, _ handler: ConfigurationHandler) async throws
  /// Takes the test numbers of a new tenant.
  func take(
    testNumbers: JSONValue?, to settings: inout ProjectSettings, _ providers: ProviderRegistry
  ) throws
  /// Copies the settings that a tenant inherits from its project.
  func pass(from project: ProjectSettings, to tenant: inout ProjectSettings)
  /// Returns the name that a page begins after; throws `INVALID_PAGE_SELECTION`.
  func start(ofPage token: String?) throws(WireError) -> String?
  /// Returns the token of the page after a name.
  func page(after last: String) -> String
  /// Returns the page size of a download, given the number asked for; nil for all accounts.
  func limit(ofDownload asked: Int64) throws(WireError) -> Int?
  /// Returns the page size of a list of tenants, given the number asked for.
  func limit(ofTenants asked: Int64) throws(WireError) -> Int
  /// The maximum number of accounts in a query without a limit; nil for all.
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

  /// Merges a body without a mask into the document, as Google's APIs do.
  func changed(_ document: JSONValue, by change: DocumentChange) -> JSONValue {
    let changed =
      change.mask.isEmpty
      ? document.merging(change.body)
      : change.mask.applied(to: document, from: change.body, clearsMissing: true)
    return KeptDocument.choosing(changed, by: change.body)
  }

  func writeFurther(_ change: DocumentChange, _ handler: ConfigurationHandler) async throws {
    try await handler.updateTestNumbers(change)
  }

  func take(
    testNumbers: JSONValue?, to settings: inout ProjectSettings, _ providers: ProviderRegistry
  ) throws {
    guard let testNumbers else { return }
    guard case .object(let numbers) = testNumbers,
      numbers.values.allSatisfy({ $0.stringValue != nil })
    else { throw WireError("INVALID_TESTING_PHONE_NUMBER", "Each number has a code, as a text.") }
    let values = ["testNumbers": testNumbers]
    do {
      try (providers[.phone] as? any SettingsChecking)?.check(ProviderSettings(.phone, values))
    } catch let error as AuthError {
      throw WireError("INVALID_TESTING_PHONE_NUMBER", error.message)
    }
    settings.providers[ProviderID.phone.rawValue] = ProviderConfiguration(values: values)
  }

  func pass(from project: ProjectSettings, to tenant: inout ProjectSettings) {
    tenant.signIn.linkDomains =
      KeptDocument.linkDomains(of: tenant) ?? project.signIn.linkDomains
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
