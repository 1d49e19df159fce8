import AdminConsole
import AuthCore
import BuiltInProviders
import Foundation

@testable import Commands

/// Firebase's upload, which is set to replace nothing.
struct BatchCreateFace: Face {
  let name = FaceName.batchCreate

  func can(_ act: Act) -> Bool {
    if case .bring(let newcomer) = act { newcomer.numberSignsIn } else { false }
  }

  func perform(_ act: Act, on stage: Stage) async throws {
    guard case .bring(let newcomer) = act else { throw Wordless(face: name) }
    let reply = try await stage.server.upload([newcomer.record], ["allowOverwrite": false])
    try Refused.unlessDone(reply)
    guard let said = reply.json["error"]?.items.first?["message"]?.stringValue else { return }
    throw Refused(code: Self.codes[said]?.rawValue, said: said)
  }

  /// The codes of Firebase's sentences.
  private static let codes: [String: AuthError.Code] = [
    "localId is invalid": .invalidUID,
    "localId belongs to an existing account - can not overwrite.": .uidAlreadyExists,
    "raw id exists in other account in database": .credentialAlreadyInUse,
    "phone number exists in other account in database": .phoneNumberAlreadyExists,
    "email exists in other account in database": .emailAlreadyInUse,
    "Second factor account requires email to be presented.": .unverifiedEmail,
    "Second factor account requires email to be verified.": .unverifiedEmail,
  ]
}

/// The graph's import of whole records, which the upload uses.
struct ImportRecordsFace: Face {
  let name = FaceName.importRecords

  func can(_ act: Act) -> Bool { if case .bring = act { true } else { false } }

  func perform(_ act: Act, on stage: Stage) async throws {
    guard case .bring(let newcomer) = act else { throw Wordless(face: name) }
    let outcomes = try await stage.server.graph.importRecords(
      [try newcomer.imported(to: stage)], overwriting: false, by: stage.server.admin)
    try Refused.unlessImported(outcomes)
  }
}

/// The graph's import of a file's accounts, which the command uses.
struct ImportAccountsFace: Face {
  let name = FaceName.importAccounts

  func can(_ act: Act) -> Bool { if case .bring = act { true } else { false } }

  func perform(_ act: Act, on stage: Stage) async throws {
    guard case .bring(let newcomer) = act else { throw Wordless(face: name) }
    let outcomes = try await stage.server.graph.importAccounts(
      [try newcomer.imported(to: stage)], by: stage.server.admin)
    try Refused.unlessImported(outcomes)
  }
}

/// The command `authgraph import`, with a file of one record.
struct FileFace: Face {
  let name = FaceName.file

  func can(_ act: Act) -> Bool {
    if case .bring(let newcomer) = act { newcomer.numberSignsIn } else { false }
  }

  func perform(_ act: Act, on stage: Stage) async throws {
    guard case .bring(let newcomer) = act else { throw Wordless(face: name) }
    let file = FileManager.default.temporaryDirectory.appending(path: "same-act-\(UUID()).json")
    try JSONValue.object(["users": .array([newcomer.record])]).text
      .write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = AccountImport(
      graph: stage.server.graph, caller: stage.server.admin, file: file.path,
      passwords: PasswordImport(nil), isBulk: false, progress: ProgressBar("import"))
    let report = try await run.perform()
    if let failure = report.failure { throw failure }
    guard let problem = report.problems.first(where: \.isRefusal) else { return }
    // The report says `new is refused: email-already-in-use (email): …`.
    let code = problem.text.split(separator: "refused: ").last?
      .prefix { $0 == "-" || $0.isLowercase }
    throw Refused(code: code.map(String.init), said: problem.text)
  }
}

extension Refused {
  fileprivate static func unlessImported(_ outcomes: [ImportOutcome]) throws {
    for case .refused(let error) in outcomes {
      throw Refused(code: error.code.rawValue, said: "\(error)")
    }
  }
}
