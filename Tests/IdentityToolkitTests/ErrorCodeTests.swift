import AuthValues
import Foundation
import IdentityToolkit
import Testing

@Suite struct `S15 Every error of the graph` {
  /// The declared codes.
  private static let codes: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/AuthValues/Errors/AuthErrorCode.swift").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.matches(of: /= Self\(\s*"([a-z-]+)"/).map { String($0.output.1) }
  }()

  @Test func `is a refusal, but for the three that are the server's own`() {
    #expect(Self.codes.count > 60)
    for code in Self.codes {
      let status = WireError(AuthError(AuthError.Code(code), "x")).status
      switch code {
      case "internal-error": #expect(status == 500)
      case "store-unavailable", "unsure-commit": #expect(status == 503)
      default: #expect(status < 500, "\(code)")
      }
    }
    #expect(WireError(AuthError(AuthError.Code("of-a-provider"), "x")).status == 400)
  }

  @Test func `shows nothing of a policy's inside`() {
    let error = WireError(AuthError(.invalidPolicy, "house.lua:3: a secret", step: .policy))
    #expect(error.message == "MERGE_REFUSED : The project's merge policy failed.")
  }
}
