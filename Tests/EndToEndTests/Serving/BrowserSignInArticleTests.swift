import AuthCore
import Foundation
import Testing
import TestSupport

/// The commands of the article on sign-ins in a browser, against a vendor on this machine.
@Suite struct `The article "Signing in with a browser"` {
  private let folder: TemporaryFolder
  private let article: Article

  init() throws {
    folder = try TemporaryFolder()
    article = try Article("Sources/AuthServer/AuthServer.docc/BrowserSignIn.md")
  }

  /// Starts the vendor and a server that knows it, as the article sets them up.
  private func start(_ change: (String) -> String = { $0 }) throws -> (
    RunningProvider, RunningServer
  ) {
    let vendor = try RunningProvider(in: folder)
    let host = vendor.issuer.replacing("http://", with: "")
    let setUp = try article.blocks("lua").first.unwrapped("a block of Lua")
    try folder.lua(change(setUp.replacing("127.0.0.1:8400", with: host)))
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\nlisten: { port: 0 }\n")
    return (vendor, try RunningServer(["--config", file], in: folder))
  }

  /// Runs the article's commands, and shows the addresses between them.
  private func flow(_ server: RunningServer) throws -> (addresses: [String], answer: String) {
    let commands = article.blocks("sh")
    #expect(commands.count == 4)
    // The vendor redirects to publicURL, which is another port than the free one.
    let local = "handler=$(echo \"$handler\" | sed \"s|http://127.0.0.1:9099|$SERVER|\")"
    var lines = ["export NO_PROXY='*' SERVER=\(server.address) KEY=any"]
    for (index, command) in commands.enumerated() {
      lines.append(command)
      switch index {
      case 0: lines.append("echo \"$vendor\"")
      case 1: lines += ["echo \"$handler\"", local]
      case 2: lines.append("echo \"$back\"")
      default: break
      }
    }
    let shown = try Clone(in: folder).shell(lines.joined(separator: "\n")).output
    let parts = shown.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    return (parts.prefix(3).map(String.init), parts.count > 3 ? String(parts[3]) : "")
  }

  @Test func `its commands sign a person in`() async throws {
    try await blocking { [self] in
      let (vendor, server) = try start()
      let (addresses, answer) = try flow(server)

      #expect(addresses[0].hasPrefix("\(vendor.issuer)/authorize?"), "\(addresses)")
      #expect(addresses[1].hasPrefix("http://127.0.0.1:9099/__/auth/handler?"), "\(addresses)")
      #expect(addresses[2].hasPrefix("https://app.example/done#"), "\(addresses)")
      let signedIn = try JSONValue(text: answer)
      #expect(signedIn["email"] == "ada@example.com")
      #expect(signedIn["idToken"]?.stringValue?.isEmpty == false)
    }
  }

  @Test func `a page at a domain that is not authorized is refused`() async throws {
    try await blocking { [self] in
      let (_, server) = try start { $0.replacing("\"app.example\"", with: "\"b.example\"") }
      let (addresses, _) = try flow(server)
      #expect(addresses[0].contains("UNAUTHORIZED_DOMAIN"), "\(addresses)")
    }
  }
}
