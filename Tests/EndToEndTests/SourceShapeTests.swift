import Foundation
import Testing

/// Rules for the sources that the compiler does not check.
@Suite struct `The sources` {
  @Test func `ask a store for at most twelve functions`() throws {
    let text = try String(
      contentsOfFile: "\(Program.root)/Sources/AuthCore/Store/AccountStore.swift", encoding: .utf8)
    let protocols = text.components(separatedBy: "\npublic protocol ").dropFirst()
      .map { $0.components(separatedBy: "\n}")[0] }
    #expect(protocols.count == 3)
    let count = protocols.map { $0.components(separatedBy: "\n  func ").count - 1 }.reduce(0, +)
    #expect(5...12 ~= count)
  }
}
