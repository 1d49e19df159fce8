import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import IdentityToolkitService
import LuaPlugins
import Testing
import TestSupport
import UserFiles

/// A graph that imports other systems' files with the importers that ship.
struct ImporterHome {
  let folder: TemporaryFolder
  let graph: AccountGraph
  let scope = Scope(project: "shop")
  let now = Timestamp(milliseconds: 1_750_000_000_000)

  /// A result of an import.
  struct Outcome {
    var accounts: [String] = []
    /// The refusals by line.
    var refused: [Int: String] = [:]
    var leftOut: [String: Int] = [:]
  }

  init() throws {
    folder = try TemporaryFolder()
    let now = now
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    let vendors = ["google.com", "github.com", "facebook.com", "apple.com"].map {
      FakeProvider(id: ProviderID($0))
    }
    graph = AccountGraph(
      store: MemoryStore(),
      providers: ProviderRegistry(
        [PasswordProvider(hasher: hasher), PhoneProvider(), EmailLinkProvider()] + vendors),
      policies: LuaPolicyCompiler(),
      services: GraphServices(secrets: EphemeralSealing(), totp: HMACTOTP()), clock: { now })
  }

  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "import") }

  static func importer(_ name: String) throws -> Importer {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Importers").standardized
    return try Importer(path: root.appending(path: "\(name).lua").path)
  }

  /// Imports a file with an importer, and rows of files beside it.
  func load(
    _ importer: Importer, _ users: String, beside: [String: String] = [:],
    options: [String: String] = [:], providers: [String: String] = [:]
  ) async throws -> Outcome {
    try importer.set(options: options, providers: providers)
    let declaration = importer.declaration
    var indexes: [String: ForeignFileIndex] = [:]
    for (name, path) in beside {
      let file = try #require(declaration.beside[name])
      indexes[name] = try ForeignFileIndex(path: path, form: Self.form(file, path)) {
        row throws(AuthError) in try importer.key(of: row, in: name)
      }
    }
    var reader = ForeignUserReader(
      try ForeignFileReader(path: users, form: Self.form(declaration.users, users)),
      beside: indexes,
      ForeignUserReader.Translation(
        key: { row throws(AuthError) in try importer.key(of: row) },
        record: { row, beside throws(AuthError) in try importer.record(of: row, beside: beside) },
        leftOut: { importer.leftOut }))
    return try await load(&reader)
  }

  private static func form(_ file: ImporterDeclaration.File, _ path: String) -> ForeignForm {
    let kinds = file.forms.compactMap(ForeignForm.Kind.init(rawValue:))
    return ForeignForm(ForeignForm.kind(of: path, among: kinds) ?? .json, list: file.list)
  }

  private func load(_ reader: inout ForeignUserReader) async throws -> Outcome {
    var outcome = Outcome()
    let passwords = PasswordImport(nil)
    let door = RecordDoor(
      scope: scope, passwords: .importing(passwords), registered: graph.providers.ids, at: now)
    var records: [ImportedAccount] = []
    while let slice = try reader.next() {
      do throws(AuthError) {
        let record = try UserRecord(slice)
        do throws(RecordFault) {
          records.append(ImportedAccount(account: try record.account(at: door), line: slice.line))
        } catch {
          throw error.error
        }
      } catch {
        outcome.refused[slice.line] = "\(error.code): \(error.message)"
      }
    }
    _ = try await graph.changeSettings(by: admin) { _ = $0.keep(passwords.parameters.values) }
    let results = try await graph.importAccounts(records, by: admin)
    for (result, record) in zip(results, records) {
      switch result {
      case .imported, .sharesEmail, .unchanged:
        outcome.accounts.append(record.account.id.rawValue)
      case .refused(let error):
        outcome.refused[record.line] = "\(error.code): \(error.message)"
      }
    }
    outcome.leftOut = reader.leftOut
    return outcome
  }

  /// Returns the uid that an address and a password sign in to.
  func enter(_ email: String, _ password: String) async throws -> String {
    let credential = try graph.providers.credential(
      .password, ["email": email, "password": password])
    return try await graph.signIn(credential, by: Caller(scope: scope, authority: .anyone))
      .account.id.rawValue
  }

  /// Returns the uid that a provider's subject signs in to.
  func enter(_ provider: String, subject: String) async throws -> String {
    let credential = try graph.providers.credential(ProviderID(provider), ["subject": subject])
    return try await graph.signIn(credential, by: Caller(scope: scope, authority: .anyone))
      .account.id.rawValue
  }

  func account(_ uid: String) async throws -> Account {
    try #require(try await graph.account(AccountID(uid), in: scope))
  }
}
