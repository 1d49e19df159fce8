import AuthCore
import Foundation
import HTTPClientTransport
import TestSupport
import Testing

struct SecrecyTests {
  @Test func `an error shows nothing of path, query, headers or body`() async throws {
    let closing = try RawServer { $0.readRequest() }
    let garbage = try RawServer {
      $0.readRequest()
      $0.send("hunter2 garbage\r\n\r\n")
    }
    let large = try RawServer { $0.answerAll("200 OK", "hunter2-hunter2") }
    let silent = try RawServer { $0.waitForEnd() }
    let transport = HTTPClientTransport(environment: [:])
    var requests = [closing, garbage, large, silent].map { server in
      var request = HTTPRequest.to(
        server, "/hunter2?code=hunter2#hunter2", .post, body: "secret=hunter2",
        within: .milliseconds(500))
      request.headers = [("Authorization", "Bearer hunter2")]
      request.maximumResponseBytes = 5
      return request
    }
    for url in [
      "https://hunter2@api.example.com/", "https://x:hunter2@127.0.0.1/", "hunter2",
      "https://api.example.com:hunter2/", "https:hunter2", "ftp://api.example.com/hunter2",
      "https://api.example.com/ hunter2", "https://127.0.0.1/hunter2?hunter2",
      "https:// hunter2.example.com/",
    ] {
      requests.append(HTTPRequest(.get, url, headers: [("X-Key", "hunter2")]))
    }
    for (name, value) in [("X-Key", "hunter2\r\nX: y"), ("hunter2\r\nX", "y"), ("Host", "hunter2")]
    {
      var request = HTTPRequest.to(silent)
      request.headers = [(name, value)]
      requests.append(request)
    }
    for request in requests {
      let error = try #require(await transport.failure(of: request))
      for text in [
        error.description, error.debugDescription, "\(error)", String(reflecting: error),
      ] {
        #expect(!text.contains("hunter2"), "\(text)")
      }
      var dumped = ""
      dump(error, to: &dumped)
      #expect(!dumped.contains("hunter2"))
      #expect(error.remedy?.isEmpty == false)
    }
    try await transport.shutdown()
  }

  @Test(arguments: [
    ("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\nX-Evil: 1"), ("X-A", "b\rX-Evil: 1"), ("X-A", "b\u{0}"),
    ("X-A", "b\u{7F}"), ("X-A\r\nX-Evil", "1"), ("X A", "1"), ("X-A:", "1"), ("", "1"), ("Ä", "1"),
    ("Host", "inner.example.com"), ("Content-Length", "0"), ("Transfer-Encoding", "chunked"),
    ("connection", "close"), ("Upgrade", "h2c"), ("Expect", "100-continue"),
    ("Accept-Encoding", "gzip"), ("Proxy-Authorization", "Basic x"),
  ])
  func `a header that could change the message is refused before anything is sent`(
    _ name: String, _ value: String
  ) async throws {
    let server = try RawServer { $0.answerAll() }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server)
    request.headers = [(name, value)]
    let error = await transport.failure(of: request)
    #expect(error?.field == "headers")
    #expect(server.accepted == 0)
    try await transport.shutdown()
  }
}
