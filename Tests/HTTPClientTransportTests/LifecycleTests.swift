import AuthCore
import Foundation
import HTTPClientTransport
import Testing
import TestSupport

struct LifecycleTests {
  @Test func `two hundred requests at once all get their own answer`() async throws {
    let server = try RawServer { connection in
      while let text = connection.readRequest() {
        connection.answer("200 OK", String(text.split(separator: " ")[1]))
      }
    }
    let transport = HTTPClientTransport(environment: [:])
    let request = HTTPRequest.to(server, within: .seconds(60))
    let isRight = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          var own = request
          own.url = server.url("/\(number)")
          own.method = number % 2 == 0 ? .get : .post
          return try await transport.send(own).body == Array("/\(number)".utf8)
        }
      }
      return try await group.reduce(true) { $0 && $1 }
    }
    #expect(isRight)
    #expect(server.received.count == 200)
    #expect(server.accepted <= 128)
    try await transport.shutdown()
  }

  @Test func `a request that is cancelled ends at once, and its connection with it`() async throws {
    let begun = Received()
    let server = try RawServer {
      $0.readRequest()
      begun.add("begun ")
      $0.waitForEnd()
      begun.add("ended")
    }
    let transport = HTTPClientTransport(environment: [:])
    let request = HTTPRequest.to(server, within: .seconds(60))
    let start = ContinuousClock.now
    let task = Task { try await transport.send(request) }
    try await eventually { begun.text == "begun " }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await eventually { begun.text == "begun ended" }
    #expect(ContinuousClock.now - start < .seconds(30))
    try await transport.shutdown()
  }

  @Test func `a request that is cancelled amid its answer gives no half one`() async throws {
    let begun = Received()
    let server = try RawServer {
      $0.readRequest()
      $0.send("HTTP/1.1 200 OK\r\n\r\nhalf")
      begun.add("begun")
      $0.waitForEnd()
    }
    let transport = HTTPClientTransport(environment: [:])
    let task = Task { try await transport.send(.to(server, within: .seconds(60))) }
    try await eventually { begun.text == "begun" }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await transport.shutdown()
  }

  @Test func `shutting down ends what is under way, and refuses what comes after`() async throws {
    let begun = Received()
    let server = try RawServer {
      $0.readRequest()
      begun.add("begun")
      $0.waitForEnd()
    }
    let transport = HTTPClientTransport(environment: [:])
    let request = HTTPRequest.to(server, within: .seconds(60))
    let task = Task { await transport.failure(of: request) }
    try await eventually { begun.text == "begun" }
    try await transport.shutdown()
    #expect(await task.value != nil)
    let error = await transport.failure(of: request)
    #expect(error?.message == "The transport that was to ask 127.0.0.1 is shut down.")
    try await transport.shutdown()
    #expect(server.accepted == 1)
  }

  @Test func `a transport that just goes away closes its connections`() async throws {
    let ended = Received()
    let server = try RawServer {
      $0.answerAll()
      ended.add("ended")
    }
    do {
      let transport = HTTPClientTransport(environment: [:])
      _ = try await transport.send(.to(server))
    }
    try await eventually { ended.text == "ended" }
  }

  @Test func `more hosts than clients take turns, and none is cut off amid its answer`()
    async throws
  {
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        Thread.sleep(forTimeInterval: 0.05)
        connection.send("-half")
      }
    }
    let transport = PlayedResolver(["127.0.0.1"]).transport(maximumClients: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          var request = HTTPRequest(.post, "http://host\(number % 8).example.com:\(server.port)/")
          request.privateHosts = ["host\(number % 8).example.com"]
          request.timeout = .seconds(60)
          let body = try await transport.send(request).body
          #expect(body == Array("first-half".utf8))
        }
      }
      try await group.waitForAll()
    }
    try await transport.shutdown()
  }
}
