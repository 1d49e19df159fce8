import AuthCore
import Foundation
import Testing

@Suite struct `Every error code of AuthGraph` {
  @Test(arguments: CodeExample.all)
  func `happens, and names a remedy`(_ example: CodeExample) async throws {
    let error = try await example.error()

    #expect(error.code == example.code, "\(error)")
    #expect(error.remedy?.isEmpty == false, "\(error)")
  }

  @Test func `has one example`() {
    let declared = DeclaredCode.all.map(\.code)
    #expect(declared.count > 60)
    #expect(Set(declared) == Set(CodeExample.all.map(\.code)))
    #expect(CodeExample.all.count == declared.count)
  }

  @Test func `is in the article with its example`() async throws {
    let article = DeclaredCode.root.appending(
      path: "Sources/AuthCore/AuthCore.docc/ErrorCodes.md")
    var errors: [AuthError.Code: AuthError] = [:]
    for example in CodeExample.all { errors[example.code] = try await example.error() }
    let text = try ErrorArticle(errors: errors).markdown
    if ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil {
      try text.write(to: article, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: article, encoding: .utf8)

    #expect(written == text, "AUTHGRAPH_WRITE_REFERENCE=1 writes it anew")
  }
}
