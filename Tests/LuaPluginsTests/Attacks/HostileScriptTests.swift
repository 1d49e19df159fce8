import AuthCore
import AuthTesting
import Foundation
import LuaPlugins
import Testing
import TestSupport

/// The corpus of hostile scripts, as the body of a plug-in's function and as its file.
@Suite(.serialized) struct `A hostile script in a plug-in` {
  struct Trick: Sendable, CustomStringConvertible {
    let name: String
    let source: String
    var description: String { name }
  }

  static let tricks: [Trick] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "LuaRuntimeTests/Hostile")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "lua" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .compactMap { file in
        (try? String(contentsOf: file, encoding: .utf8)).map {
          Trick(name: file.deletingPathExtension().lastPathComponent, source: $0)
        }
      }
  }()

  /// The time that a script may take on a busy machine: its 30 ms of CPU, many times over.
  static let most = Duration.milliseconds(500)

  /// Repeats a slow measurement: only a script that is slow each time is too slow.
  private func leastTime(_ body: () async throws -> Void) async rethrows -> Duration {
    var least = Duration.seconds(3600)
    for _ in 1...6 where least >= Self.most {
      let began = ContinuousClock.now
      try await body()
      least = min(least, ContinuousClock.now - began)
    }
    return least
  }

  @Test func `the list of tricks is not empty`() { #expect(Self.tricks.count >= 100) }

  @Test(arguments: tricks)
  func `attack 32: ends within its budget, and the plug-in serves the next person`(
    _ trick: Trick
  ) async throws {
    let vendor = ScriptedVendor()
    let text = """
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" },
        credentials = { token = { token = field.text "the token" } },
        verify = function(...)
          if (...).token == "good" then return identity { subject = "7" } end
          \(trick.source)
        end,
      }
      """
    let home: PluginGraph
    do {
      home = try PluginGraph(
        text, script("return identity { subject = '8' }", id: "other.example"), transport: vendor)
    } catch let error as AuthError {
      // A file that is nested too deeply to be read does not reach a sign-in.
      #expect(error.code == .invalidPlugin && trick.name == "nested-functions")
      return
    }

    var outcome: AuthError?
    let time = await leastTime {
      outcome = await expectError { try await home.signIn("test.example", ["token": "bad"]) }
    }

    #expect(time < Self.most)
    #expect(outcome?.code == .pluginFailed, "\(String(describing: outcome))")
    #expect(outcome?.description.contains("owned") == false)
    #expect(!home.log.text.contains("root:") && !home.log.text.contains("owned"))
    let accounts = try await home.accountCount()
    #expect(accounts == 0)
    #expect(home.log.records.allSatisfy { $0.message.utf8.count < 11_000 })
    let next = try await home.signIn("test.example", ["token": "good"])
    let other = try await home.signIn("other.example", ["token": "t"])
    #expect(next.account.identities.map(\.key.subject) == ["7"])
    #expect(other.account.identities.map(\.key.subject) == ["8"])
    #expect(vendor.requests.isEmpty)
  }

  @Test(arguments: tricks)
  func `attack 32: ends within its budget while its file is read`(_ trick: Trick) async throws {
    let text = "local function trick()\n\(trick.source)\nend\ntrick()\n" + script("return nil")

    let time = await leastTime {
      do throws(AuthError) {
        _ = try LuaPlugin.provider(
          PluginSource(name: "trick.lua", text: text), host: PluginHost(transport: ScriptedVendor())
        )
      } catch {
        #expect(error.code == .invalidPlugin)
        #expect(error.message.utf8.count < 11_000)
      }
    }

    #expect(time < Self.most)
  }
}
