import AuthCore
import Testing

@testable import IdentityToolkitService

/// Steps of the tests of projects, tenants and batches.
extension ServerHome {
  static let both = [ServerMode.production, .emulator]
  var accountsPath: String { "/v1/projects/\(Self.project)/accounts" }
  var configPath: String { "/v2/projects/\(Self.project)/config" }
  var tenantsPath: String { "/v2/projects/\(Self.project)/tenants" }

  /// Makes an account directly in the graph.
  @discardableResult
  func seed(
    _ uid: String, email: String? = nil, phone: String? = nil, name: String? = nil,
    disabled: Bool = false, in scope: Scope? = nil
  ) async throws -> Account {
    var changes = ProfileChanges()
    if let email { changes.email = .set(try EmailAddress(email)) }
    if let phone { changes.phoneNumber = .set(try PhoneNumber(phone)) }
    if let name { changes.displayName = .set(name) }
    if disabled { changes.disabled = true }
    var caller = admin
    if let scope { caller.scope = scope }
    _ = try await graph.create(changes, uid: AccountID(uid), by: caller)
    return try #require(try await graph.account(AccountID(uid), in: caller.scope))
  }

  /// Uploads accounts and returns the answer.
  @discardableResult
  func upload(_ users: [JSONValue], _ more: [String: JSONValue] = [:]) async throws -> Reply {
    var body = more
    body["users"] = .array(users)
    return try await admin("POST", "\(accountsPath):batchCreate", .object(body))
  }

  /// Returns the problem of an upload's single account.
  func fault(of user: JSONValue, _ more: [String: JSONValue] = [:]) async throws -> String? {
    let reply = try await upload([user], more)
    #expect(reply.status == 200, "\(reply.text)")
    guard case .array(let errors)? = reply.json["error"] else { return nil }
    return errors.first?["message"]?.stringValue
  }
}

extension JSONValue {
  var items: [JSONValue] {
    guard case .array(let items) = self else { return [] }
    return items
  }

  var names: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.keys)
  }
}
