import AuthCore
import CLimits
import Foundation
import MeasuredWork
import SQLiteStore

/// Raw SQLite in C on the same file: one operation in each transaction for a single caller, sixteen for many.
///
/// There are as many concurrent readers as cores.
final class FileLimit: Contender, @unchecked Sendable {
  private let files: [OpaquePointer]
  private let texts: LimitsTexts
  private static let together: Int32 = 16

  /// Opens the file of an existing store, with the memory that the store takes.
  init(path: String, texts: LimitsTexts, readers: Int = 2) throws {
    self.texts = texts
    files = try (0..<readers).map { _ in
      try Self.open(path, cacheKiB: SQLiteStore.cacheKiB, durable: true)
    }
  }

  private static func open(_ path: String, cacheKiB: Int, durable: Bool) throws -> OpaquePointer {
    guard
      let file = limits_file_open(
        path, Int32(cacheKiB), Int64(SQLiteStore.mappedBytes), durable ? 1 : 0)
    else { throw LimitFailure() }
    return file
  }

  deinit {
    for file in files { limits_file_close(file) }
  }

  static func fill(path: String, accounts: Int, events: Bool) throws {
    try withFile(path, durable: false) {
      limits_file_fill($0, UInt32(accounts), events ? 1 : 0)
    }
  }

  /// Adds accounts durably, with indexes in place, like an import during which others read and write.
  static func importAccounts(path: String, accounts: Int) throws {
    try withFile(path, durable: true) { limits_file_import($0, UInt32(accounts)) }
  }

  private static func withFile(
    _ path: String, durable: Bool, _ work: (OpaquePointer) -> Int32
  ) throws {
    let file = try open(path, cacheKiB: 262_144, durable: durable)
    defer { limits_file_close(file) }
    guard work(file) == 0 else { throw LimitFailure() }
  }

  func run(_ operation: StoreOperation, on numbers: [UInt32], callers: Int) async throws -> Run {
    let group = callers > 1 ? Self.together : 1
    let users = callers > 1 && !operation.isWriting ? files : Array(files.prefix(1))
    return try await Threads.run(operation, on: numbers, by: users) {
      [texts] file, part, count, times in
      limits_file_run(file, operation.limit, part, count, group, texts, times)
    }
  }
}

/// libpq in C on the same tables, with a connection for each caller up to the store's number.
///
/// A change is one statement, or two exchanges: the reads for the decision, and the change with its commit.
final class ServerLimit: Contender, @unchecked Sendable {
  private let servers: [OpaquePointer]
  private let asks: Bool
  private let texts: LimitsTexts

  init(
    url: String, schema: String, connections: Int, asks: Bool = false, texts: LimitsTexts
  ) throws {
    self.asks = asks
    self.texts = texts
    servers = try (0..<connections).map { _ in
      guard let server = limits_server_open(url, schema) else { throw LimitFailure() }
      return server
    }
  }

  deinit {
    for server in servers { limits_server_close(server) }
  }

  func fill(accounts: Int, events: Bool) throws {
    guard limits_server_fill(servers[0], UInt32(accounts), events ? 1 : 0) == 0 else {
      throw LimitFailure()
    }
  }

  func run(_ operation: StoreOperation, on numbers: [UInt32], callers: Int) async throws -> Run {
    let users = Array(servers.prefix(callers))
    return try await Threads.run(operation, on: numbers, by: users) {
      [asks, texts] server, part, count, times in
      limits_server_run(server, operation.limit, part, count, asks ? 1 : 0, texts, times)
    }
  }
}

/// Two hash tables in C, for lookups only.
final class MemoryLimit: Contender, @unchecked Sendable {
  private let memory: OpaquePointer

  init(accounts: Int) throws {
    guard let memory = limits_memory_make(UInt32(accounts)) else { throw LimitFailure() }
    self.memory = memory
  }

  deinit { limits_memory_free(memory) }

  func run(_ operation: StoreOperation, on numbers: [UInt32], callers: Int) async throws -> Run {
    let users = Array(repeating: memory, count: callers > 1 ? 2 : 1)
    return try await Threads.run(operation, on: numbers, by: users) { memory, part, count, times in
      limits_memory_run(memory, part, count, times)
    }
  }
}

/// Divides accounts between threads, each of which has a handle of its own.
private enum Threads {
  typealias Work =
    @Sendable (
      OpaquePointer, UnsafePointer<UInt32>, Int32, UnsafeMutablePointer<Double>
    ) -> Int32

  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  static func run(
    _ operation: StoreOperation, on numbers: [UInt32], by handles: [OpaquePointer],
    _ work: @escaping Work
  ) async throws -> Run {
    let each = operation.isMerge ? 2 : 1
    let total = numbers.count / each
    let share = (total + handles.count - 1) / handles.count
    return try await Run.timed {
      try await withThrowingTaskGroup(of: [Double].self) { group in
        for (index, handle) in handles.map(Handle.init).enumerated() {
          let part = Array(
            numbers[min(total, index * share) * each..<min(total, (index + 1) * share) * each])
          guard !part.isEmpty else { continue }
          group.addTask {
            try await onThread {
              var times = try perform(work, on: part, count: part.count / each, by: handle)
              if operation == .policyMerge { try decide(part, adding: &times) }
              return times
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
  }

  private static func perform(
    _ work: Work, on numbers: [UInt32], count: Int, by handle: Handle
  ) throws -> [Double] {
    var latencies = [Double](repeating: 0, count: count)
    let code = numbers.withUnsafeBufferPointer { numbers in
      latencies.withUnsafeMutableBufferPointer { latencies in
        guard let first = numbers.baseAddress, let times = latencies.baseAddress else {
          return Int32(0)
        }
        return work(handle.pointer, first, Int32(count), times)
      }
    }
    guard code == 0 else { throw LimitFailure() }
    return latencies
  }

  /// Lets a policy in C decide about each pair, and adds its times.
  private static func decide(_ numbers: [UInt32], adding times: inout [Double]) throws {
    let policy = try PolicyLimit(PolicyWork.source.text)
    for index in times.indices {
      let one = limits_account(numbers[2 * index])
      let other = limits_account(numbers[2 * index + 1])
      let start = ContinuousClock.now
      try policy.decide(one, other)
      times[index] += (ContinuousClock.now - start) / .microseconds(1)
    }
  }

  /// Runs blocking work on a thread of its own.
  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
