import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import TerminalOutput

/// The permission to create what a command names: a store or a project that does not exist is most often misspelled.
struct NewPlaceOptions: ParsableArguments {
  @Flag(
    help:
      "Create the store that --store names, or the project that --project names, if it does not exist."
  )
  var create = false

  /// Opens the store of the options for a session, which creates nothing if it only reads.
  func open(_ options: StoreOptions, for session: SessionOptions, asks: Bool) throws -> Assembly {
    guard !session.readOnly else {
      guard !create else {
        throw AuthError(
          .invalidArgument, "A session that only reads creates nothing.", field: "create",
          remedy: "Leave out --create or --read-only.")
      }
      return try Assembly(options, for: session)
    }
    try checkStore(options, asks: asks)
    let assembly = try Assembly(options, for: session)
    try checkProject(of: assembly, asks: asks)
    return assembly
  }

  /// Checks that the store of the options exists, or may be created.
  ///
  /// The default store may always be created. At a terminal the person is asked; otherwise throws
  /// `store-unavailable`.
  private func checkStore(_ options: StoreOptions, asks: Bool) throws {
    guard !create, try options.isMissing, options.store != nil,
      case .sqlite(let path) = try options.location(),
      try options.location() != StoreOptions.location(of: nil)
    else { return }
    try Self.allow("store \(path)", asks, field: "store", code: .storeUnavailable)
  }

  /// Checks that the project of the options has anything in it, or may be created.
  ///
  /// The project "default" always may. At a terminal the person is asked; otherwise throws `invalid-argument`.
  private func checkProject(of assembly: Assembly, asks: Bool) throws {
    let project = Scope(project: assembly.scope.project)
    guard !create, project.project != "default" else { return }
    let graph = assembly.graph
    guard try waiting({ try await !graph.isKnown(project) }) else { return }
    try Self.allow("project \(project.project)", asks, field: "project", code: .invalidArgument)
  }

  private static func allow(
    _ what: String, _ asks: Bool, field: String, code: AuthError.Code
  ) throws {
    if asks {
      let question = VisibleText.oneLine("There is no \(what). Create it?") + " [y/N] "
      if case .given = Consent(try TerminalPrompt().answer(question)) { return }
    }
    throw AuthError(
      code, "There is no \(what).", field: field,
      remedy: "Check its name, or add --create to create it.")
  }
}

extension StoreOptions {
  /// Set if the store is a SQLite file that does not exist.
  var isMissing: Bool {
    get throws {
      guard case .sqlite(let path) = try location() else { return false }
      return !["", "-wal"].contains { FileManager.default.fileExists(atPath: path + $0) }
    }
  }
}

extension AccountGraph {
  /// Tells whether a project has accounts, settings, tenants or events.
  fileprivate func isKnown(_ project: Scope) async throws -> Bool {
    try await store.read { reader in
      if try reader.record(.settings, in: project) != nil { return true }
      if try !reader.tenants(of: project.project, after: nil, limit: 1).isEmpty { return true }
      let filter = AccountFilter()
      if try !reader.accounts(matching: filter, after: nil, limit: 1, in: project).isEmpty {
        return true
      }
      return try !reader.events(about: nil, before: nil, limit: 1, in: project).isEmpty
    }
  }
}
