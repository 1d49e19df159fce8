import Foundation

/// Times whole commands.
struct CommandBench {
  let program: String
  let folder: String

  /// Imports a file of accounts with two identities each.
  func importing(accounts: Int, limit: Duration) throws {
    let file = try write(accounts)
    let times = try (0..<3).map { run in
      try timed(["import", "--store", "sqlite:\(folder)/import\(run).db", file])
    }
    report("import of \(accounts) accounts", times, limit)
  }

  /// Starts the console on a store of many accounts and leaves with its first answer.
  func starting(accounts: Int, limit: Duration) throws {
    let store = "sqlite:\(folder)/start.db"
    _ = try timed(["import", "--store", store, try write(accounts)])
    let times = try (0..<10).map { _ in
      try timed(["console", "--store", store, "-e", "accounts.get('user7').uid"])
    }
    report("console on \(accounts) accounts", times, limit)
  }

  private func report(_ name: String, _ times: [Duration], _ limit: Duration) {
    let median = times.sorted()[times.count / 2]
    let ratio = (median / limit).formatted(.number.precision(.fractionLength(2)))
    print(
      "\(name): \(median.formatted(.units(allowed: [.seconds, .milliseconds]))), "
        + "\(ratio) of the limit")
  }

  private func timed(_ arguments: [String]) throws -> Duration {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let time = ContinuousClock.now - start
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
    return time
  }

  private func write(_ accounts: Int) throws -> String {
    let users = (1...accounts).map { number in
      #"{"localId":"user\#(number)","email":"user\#(number)@example.com","emailVerified":true,"#
        + #""createdAt":"1500000000000","displayName":"User \#(number)","providerUserInfo":["#
        + #"{"providerId":"google.com","rawId":"g\#(number)","email":"user\#(number)@example.com"},"#
        + #"{"providerId":"github.com","rawId":"h\#(number)"}]}"#
    }
    let file = "\(folder)/users\(accounts).json"
    try "{\"users\": [\n\(users.joined(separator: ",\n"))\n]}".write(
      toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}
