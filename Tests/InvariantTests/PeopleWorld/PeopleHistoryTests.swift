import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import SmallWorlds
import Testing

/// The shortest histories of past failures in random worlds, by the rows of the rules, on a store in memory and in a
/// file.
@Suite struct `Histories of people` {
  private static let ada = Person.ada.mailboxes[0]
  private static let bobs = Person.bob.mailboxes[0]

  @Test func `F1: a take-back code ends with the owner that it was made for`() async throws {
    try await hold([
      .vendor(.bob, .honest, Self.bobs), .setEmail(1, nil), .vendor(.bob, .honest, nil),
      .linkPassword(3, Self.ada), .resetAtOnce(Self.ada), .use(2),
    ])
  }

  @Test func `F2: an app's user does not stay in an account that was taken over`() async throws {
    try await hold([
      .appUser(.bob), .linkPassword(1, Self.ada), .linkAtOnce(Self.ada), .appUser(.bob),
    ])
  }

  @Test func `F2: a uid that was merged does not lead into an account that was taken over`()
    async throws
  {
    try await hold([
      .appUser(.bob), .signUp(.bob, Self.ada), .merge(1, into: 2), .linkAtOnce(Self.ada),
      .appUser(.bob),
    ])
  }

  @Test func `F3: an unverified holder does not stop a take-back code`() async throws {
    try await hold([
      .vendor(.ada, .honest, Self.ada), .setEmail(1, nil), .signUp(.bob, Self.ada), .use(2),
    ])
  }

  @Test func `F10: an owner resets the password that a stranger has beside the account`()
    async throws
  {
    try await hold([
      .signUp(.bob, Self.ada), .oneAccountPerEmail(false), .linkAtOnce(Self.ada),
      .resetAtOnce(Self.ada), .linkAtOnce(Self.ada), .setPassword(5),
    ])
  }

  @Test func `F10: an owner sets the password that a stranger has beside the account`()
    async throws
  {
    try await hold([
      .signUp(.bob, Self.ada), .oneAccountPerEmail(false), .linkAtOnce(Self.ada),
      .setPassword(3), .resetAtOnce(Self.ada),
    ])
  }

  @Test func `F10: an owner links a mailbox whose password a stranger has`() async throws {
    try await hold([
      .vendor(.bob, .careless, Self.bobs), .oneAccountPerEmail(false),
      .linkPassword(1, Self.ada), .signUp(.ada, Person.ada.mailboxes[1]),
      .linkMailbox(4, Self.ada),
    ])
  }

  @Test func `F10: an undo gives no stranger the password of a verified address`() async throws {
    try await hold([
      .linkAtOnce(Self.ada), .linkAtOnce(Person.ada.mailboxes[1]), .merge(1, into: 2),
      .signUp(.bob, Self.ada), .undo(3, force: true), .linkAtOnce(Self.ada), .setPassword(6),
      .resetAtOnce(Self.ada),
    ])
  }

  @Test func `F20: another issuer's subject is another person`() async throws {
    try await hold([
      .vendor(.ada, .team, nil), .forgetTeam, .setUpTeam(.second), .vendor(.bob, .team, nil),
    ])
  }

  @Test func `F20: trust ends with the provider`() async throws {
    try await hold([
      .linkAtOnce(Self.ada), .forgetTeam, .setUpTeam(.second), .vendor(.bob, .team, Self.ada),
    ])
  }

  private func hold(_ steps: [Step]) async throws {
    var history = PeopleHistory()
    history.steps = steps.enumerated().map { ($0.offset + 1, $0.element) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try SQLiteStore(path: "\(folder)/accounts.db", durability: .normal)
    for store in [MemoryStore(), file] as [any AccountStore] {
      let violations = try await history.repeated(on: store)
      #expect(violations.isEmpty, "\(type(of: store)): \(violations)\n\(history)")
    }
  }
}
