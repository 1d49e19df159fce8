import AuthTesting
import Foundation
import Testing

@Suite struct ListStoreTests {
  @Test(arguments: StoreCheck.all)
  func `the smallest store keeps its promises`(_ promise: StoreCheck) async throws {
    try await promise.run(ListStore())
  }

  @Test func `the article shows the whole of it`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try String(contentsOf: folder.appending(path: "ListStore.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appending(
        path: "../../Sources/AuthCore/AuthCore.docc/WriteAStore.md"), encoding: .utf8)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }

    #expect(blocks.joined(separator: "\n\n") + "\n" == code)
  }
}
