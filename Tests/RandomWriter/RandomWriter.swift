import Foundation
import PostgresStore
import RandomOperations

/// Some of the writers of the random operations, in a process of their own: `randomwriter URL`.
///
/// Reads one order a line as JSON, and answers each with a line of its operations.
@main struct RandomWriter {
  static func main() async throws {
    let store = try PostgresStore(url: CommandLine.arguments[1])
    let graph = RandomGraph(store: store)
    while let line = readLine() {
      let order = try JSONDecoder().decode(RoundOrder.self, from: Data(line.utf8))
      let records = try await graph.write(order)
      var answer = try JSONEncoder().encode(records)
      answer.append(10)
      try FileHandle.standardOutput.write(contentsOf: answer)
    }
  }
}
