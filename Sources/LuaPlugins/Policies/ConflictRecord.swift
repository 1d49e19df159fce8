import AuthCore
import LuaRuntime

/// The argument of `decide`; reading an unknown name of it is an error.
///
/// This is the one list of its fields.
extension MergeConflict {
  static let luaFields = LuaFieldNames(
    [
      "code", "provider", "current", "existing", "proof", "now", "operation", "project", "tenant",
      "credential", "session",
    ], of: "a conflict")
  private static let proofFields = LuaFieldNames(["current", "existing", "both"], of: "a proof")

  /// Writes the argument of `decide`.
  func write(to table: LuaTableWriter) {
    table.set("code", code.rawValue)
    table.set("provider", provider.rawValue)
    table.set("current", record: self.record(of: current))
    table.set("existing", record: self.record(of: existing))
    table.set("proof", fields: 3, knowing: Self.proofFields) { table in
      table.set("current", proof.current)
      table.set("existing", proof.existing)
      table.set("both", proof.both)
    }
    table.set("now", decidedAt.milliseconds)
    table.set("operation", operation.rawValue)
    table.set("project", current.scope.project)
    table.set("tenant", current.scope.tenant)
    table.set("credential", record: CredentialRecord(credential, provider))
    table.set("session", record: SessionRecord(session))
  }
}

/// The credential of a conflict; its claims are an empty table if there are none.
private final class CredentialRecord: LuaRecord {
  static let luaFields = LuaFieldNames(
    ["providerID", "subject", "email", "emailVerified", "claims"], of: "a credential")

  private let credential: ConflictCredential
  private let provider: ProviderID

  init(_ credential: ConflictCredential, _ provider: ProviderID) {
    (self.credential, self.provider) = (credential, provider)
  }

  var luaBytes: Int { 1000 }

  func write(_ place: Int, to table: LuaTableWriter) {
    switch place {
    case 0: table.set("providerID", provider.rawValue)
    case 1: table.set("subject", credential.subject)
    case 2: table.set("email", credential.email)
    case 3: table.set("emailVerified", credential.emailVerified)
    case 4:
      guard case .object = credential.claims else {
        table.set("claims", fields: 0) { _ in }
        return
      }
      table.set("claims", value: credential.claims.luaWithoutEmpty)
    default: break
    }
  }
}

/// The session of a conflict.
private final class SessionRecord: LuaRecord {
  static let luaFields = LuaFieldNames(["signedInAt", "secondFactor"], of: "a session")

  private let session: ConflictSession

  init(_ session: ConflictSession) { self.session = session }

  var luaBytes: Int { 200 }

  func write(_ place: Int, to table: LuaTableWriter) {
    switch place {
    case 0: table.set("signedInAt", session.signedInAt?.milliseconds)
    default: table.set("secondFactor", session.secondFactor)
    }
  }
}
