import AuthCore
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads the server with wrk, and a handler that does next to nothing beside it.
///
/// Rates are ratios to that handler in the same run; memory is the server's resident set, read every second.
struct ServerBench {
  let program: String
  let folder: String
  var connections = 64
  var seconds = 60

  /// What wrk told.
  struct Load {
    let requestsPerSecond: Double
    let errors: Int
    /// In MiB, at the first third and at the end.
    let memory: (early: Double, late: Double)?
  }

  func run() async throws {
    let limit = try await TrivialServer.run { port in
      try load("http://127.0.0.1:\(port)/echo", body: #"{"idToken":"x"}"#, process: nil)
    }
    report("trivial JSON handler", limit, limit)
    try await emulator(limit)
    try await production(limit)
  }

  private func emulator(_ limit: Load) async throws {
    let server = try RunningServer(
      program: program, arguments: ["--compat", "emulator", "--port", "0"])
    defer { server.stop() }
    let address = "\(server.address)/identitytoolkit.googleapis.com/v1"
    let idp = """
      {"requestUri":"http://localhost","returnSecureToken":true,"postBody":"providerId=google.com&\
      id_token=%7B%22sub%22%3A%22g1%22%2C%22email%22%3A%22ada%40example.com%22%7D"}
      """
    let user = try await post("\(address)/accounts:signInWithIdp?key=k", idp)
    let token = user["idToken"]?.stringValue ?? ""
    report(
      "emulator accounts:lookup",
      try load(
        "\(address)/accounts:lookup?key=k", body: #"{"idToken":"\#(token)"}"#, process: server),
      limit)
    report(
      "emulator signInWithIdp",
      try load("\(address)/accounts:signInWithIdp?key=k", body: idp, process: server), limit)
  }

  private func production(_ limit: Load) async throws {
    let configuration = "\(folder)/bench.yaml"
    try """
    publicURL: http://127.0.0.1:9099
    rateLimits:
      requestsPerAddressAndMinute: 0
    """.write(toFile: configuration, atomically: true, encoding: .utf8)
    let server = try RunningServer(
      program: program,
      arguments: [
        "--config", configuration, "--store", "sqlite:\(folder)/server.db", "--port", "0",
        "--project", "bench",
      ])
    defer { server.stop() }
    let user = try await post(
      "\(server.address)/v1/accounts:signUp?key=k",
      #"{"email":"ada@example.com","password":"correct horse"}"#)
    let token = user["idToken"]?.stringValue ?? ""
    report(
      "production accounts:lookup",
      try load(
        "\(server.address)/v1/accounts:lookup?key=k", body: #"{"idToken":"\#(token)"}"#,
        process: server), limit)
  }

  private func post(_ url: String, _ body: String) async throws -> JSONValue {
    guard let address = URL(string: url) else { throw CocoaError(.fileReadUnknown) }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    let (data, _) = try await URLSession.shared.data(for: request)
    return try JSONValue(text: String(decoding: data, as: UTF8.self))
  }

  private func load(_ url: String, body: String, process: RunningServer?) throws -> Load {
    let script = "\(folder)/wrk.lua"
    try """
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = [==[\(body)]==]
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let wrk = Process()
    wrk.executableURL = URL(filePath: "/usr/bin/env")
    wrk.arguments = [
      "wrk", "-t", "2", "-c", String(connections), "-d", "\(seconds)s", "-s", script, url,
    ]
    let pipe = Pipe()
    wrk.standardOutput = pipe
    try wrk.run()
    var memory: [Double] = []
    while wrk.isRunning {
      if let process { memory.append(process.residentMebibytes) }
      Thread.sleep(forTimeInterval: 1)
    }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return Load(
      requestsPerSecond: Self.number(after: "Requests/sec:", in: text) ?? 0,
      errors: Int(Self.number(after: "Non-2xx or 3xx responses:", in: text) ?? 0)
        + (text.contains("Socket errors") ? 1 : 0),
      memory: memory.isEmpty ? nil : (memory[memory.count / 3], memory[memory.count - 1]))
  }

  private static func number(after label: String, in text: String) -> Double? {
    guard let range = text.range(of: label) else { return nil }
    return text[range.upperBound...].split(whereSeparator: \.isWhitespace).first
      .flatMap { Double($0) }
  }

  private func report(_ name: String, _ load: Load, _ limit: Load) {
    let ratio = (load.requestsPerSecond / limit.requestsPerSecond)
      .formatted(.number.precision(.fractionLength(3)))
    let memory = load.memory.map {
      ", memory \(Int($0.early)) to \(Int($0.late)) MiB"
    }
    print(
      "\(name): \(Int(load.requestsPerSecond)) a second, \(ratio) of the limit, "
        + "\(load.errors) errors\(memory ?? "")")
  }
}

/// The server's own process.
final class RunningServer {
  private let process = Process()
  let address: String

  /// Starts `authgraph serve`, and waits until it says where it listens.
  init(program: String, arguments: [String]) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = ["serve"] + arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("listens on") {
      let data = errors.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let start = text.range(of: "listens on ") else {
      throw CocoaError(.executableLoad)
    }
    address = String(text[start.upperBound...].prefix { !$0.isWhitespace })
    // What it writes later has to go somewhere, or it would wait.
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  /// The memory that the process holds now, in MiB.
  var residentMebibytes: Double {
    let path = "/proc/\(process.processIdentifier)/statm"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * 4096 / 1_048_576
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
