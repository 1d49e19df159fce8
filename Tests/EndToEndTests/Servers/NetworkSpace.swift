import AuthTesting
import Foundation
import Synchronization
import TestSupport

/// A separate network for one server, with one cable to its clients and another to its database, which can be cut.
///
/// It is a Linux namespace with two pairs of virtual interfaces, so it requires root.
final class NetworkSpace: Sendable {
  /// The server's address from outside.
  let serverAddress: String
  /// The database's address from inside, which the host has.
  let databaseAddress: String
  private let name: String
  private static let count = Atomic(0)

  init() throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    let block = "10.\(200 + process % 50).\((process / 50 + number) % 250)"
    name = "ag\(process % 100_000)n\(number)"
    serverAddress = "\(block).2"
    databaseAddress = "\(block).5"
    try ip("netns add \(name)")
    try ip("-n \(name) link set lo up")
    try lay("c", from: "\(block).1", to: serverAddress)
    try lay("d", from: databaseAddress, to: "\(block).6")
  }

  deinit {
    // The interfaces and their other ends are removed with the namespace.
    try? ip("netns delete \(name)")
  }

  /// The command that runs a program inside.
  var runner: [String] { ["/usr/bin/env", "ip", "netns", "exec", name] }

  /// Cuts the cable to the database: packets vanish without an error.
  func cut() throws { try ip("link set dev \(name)d down") }

  func mend() throws { try ip("link set dev \(name)d up") }

  private func lay(_ kind: String, from host: String, to inside: String) throws {
    try ip("link add \(name)\(kind) type veth peer name \(kind) netns \(name)")
    try ip("addr add \(host)/30 dev \(name)\(kind)")
    try ip("-n \(name) addr add \(inside)/30 dev \(kind)")
    try ip("link set dev \(name)\(kind) up")
    try ip("-n \(name) link set dev \(kind) up")
  }

  private func ip(_ words: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ip"] + words.split(separator: " ").map(String.init)
    process.environment = ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "ip \(words): \(text)") }
  }
}
