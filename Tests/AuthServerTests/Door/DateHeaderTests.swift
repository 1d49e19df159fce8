import Foundation
import IdentityToolkitService
import Testing

@testable import AuthServer

@Suite struct `The date of answers` {
  @Test(arguments: [
    // RFC 9110, section 5.6.7.
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
    (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ])
  func `is written as HTTP writes it`(_ second: Int, _ text: String) {
    #expect(DateHeader.text(second) == text)
  }

  @Test func `is on every answer`() async throws {
    try await withServer(.production) { home in
      let start = Int(Date().timeIntervalSince1970)
      let replies = [
        try await home.call("GET", "/healthz"),
        try await home.call("OPTIONS", "/v1/accounts:signUp"),
        try await home.call("GET", "/nowhere"), try await home.post("/v1/accounts:signUp"),
      ]
      let end = Int(Date().timeIntervalSince1970)

      for reply in replies {
        #expect((start...end).map { DateHeader.text($0) }.contains(reply.headers["date"] ?? ""))
      }
    }
  }
}
