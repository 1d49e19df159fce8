import AuthCore
import Foundation
import RandomOperations
import TestSupport

/// The writers that run a round's operations.
protocol RandomWriters: Sendable {
  func write(_ order: (_ writers: [Int]) -> RoundOrder) async throws -> [OperationRecord]
}

/// Eight writers as tasks of this process.
struct TaskWriters: RandomWriters {
  let graph: RandomGraph

  func write(_ order: (_ writers: [Int]) -> RoundOrder) async throws -> [OperationRecord] {
    try await graph.write(order(Array(0..<8)))
  }
}

/// Eight writers in three processes, each with a store of its own.
final class ProcessWriters: RandomWriters {
  private let processes: [WriterProcess]

  init(url: String) throws {
    processes = try [[0, 1, 2], [3, 4, 5], [6, 7]].map { try WriterProcess(url, writers: $0) }
  }

  func write(_ order: (_ writers: [Int]) -> RoundOrder) async throws -> [OperationRecord] {
    try await withThrowingTaskGroup(of: [OperationRecord].self) { group in
      for process in processes {
        let part = order(process.writers)
        group.addTask { try await process.write(part) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}

/// A process of `randomwriter`, which ends when its input closes.
private final class WriterProcess: Sendable {
  let writers: [Int]
  private let input: FileHandle
  private let output: FileHandle
  private let process: Process

  init(_ url: String, writers: [Int]) throws {
    self.writers = writers
    process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "randomwriter")
    process.arguments = [url]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    try process.run()
  }

  deinit {
    try? input.close()
    process.terminate()
  }

  func write(_ order: RoundOrder) async throws -> [OperationRecord] {
    try await blocking { [self] in try ask(order) }
  }

  private func ask(_ order: RoundOrder) throws -> [OperationRecord] {
    var line = try JSONEncoder().encode(order)
    line.append(10)
    try input.write(contentsOf: line)
    var answer = Data()
    while answer.last != 10 {
      let part = output.availableData
      guard !part.isEmpty else { throw Ended(writers: writers) }
      answer += part
    }
    return try JSONDecoder().decode([OperationRecord].self, from: answer)
  }

  struct Ended: Error {
    let writers: [Int]
  }
}
