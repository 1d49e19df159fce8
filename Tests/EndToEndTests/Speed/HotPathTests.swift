import Foundation
import Testing
import TestSupport

/// The instructions of the paths of every request, which are the same on a busy machine.
///
/// The numbers are those of the debug build that the tests are part of, and depend on the compiler and the libraries.
/// `AUTHGRAPH_RECORD_SPEED=1` writes new ones, to be committed with a change that is meant to have a cost.
@Suite struct `The cost of hot paths` {
  private static let file = "\(Program.root)/Tests/EndToEndTests/Speed/hot-paths.json"
  private static let tolerance = 1.10
  private static let isRecording =
    ProcessInfo.processInfo.environment["AUTHGRAPH_RECORD_SPEED"] != nil

  @Test(arguments: ["sign-in", "link", "unlink", "merge", "by-policy", "list", "policy"])
  func `is at most what was recorded, and a tenth`(path: String) async throws {
    let times = path == "list" ? 20 : 100
    let cost = try await blocking {
      try Instructions.counted(of: ["hot-path", path, "--times", "\(times)"]) / Double(times)
    }
    try await blocking {
      var recorded = try Self.recorded()
      print("\(path): \(Int(cost)) instructions, recorded \(recorded[path] ?? 0)")
      guard !Self.isRecording else {
        recorded[path] = Int(cost)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(recorded).write(to: URL(filePath: Self.file))
        return
      }
      let bound = Double(try #require(recorded[path])) * Self.tolerance
      #expect(cost <= bound, "\(path) takes more than it did: see what the change added to it.")
    }
  }

  private static func recorded() throws -> [String: Int] {
    guard let data = FileManager.default.contents(atPath: file) else { return [:] }
    return try JSONDecoder().decode([String: Int].self, from: data)
  }
}
