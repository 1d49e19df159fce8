import AuthCore
import AuthTesting
import Foundation
import LuaPlugins
import Synchronization

/// Signs people in through a Lua plug-in while the plug-in is replaced again and again.
struct PluginBench {
  private let id = ProviderID("acme.example")
  private let caller = Caller(scope: Scope(project: "bench"), authority: .anyone)

  /// A vendor in memory that answers with whom the token names, after everybody else had a turn.
  private struct Vendor: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      await Task.yield()
      let token = URLText.query(of: request.url)?["token"] ?? ""
      let answer: JSONValue = ["id": .string(token), "name": "Ada", "verified": true]
      return HTTPResponse(status: 200, body: Array(answer.text.utf8))
    }
  }

  private func text(_ version: Int) -> String {
    """
    local version = "\(version)"
    return provider {
      id = "acme.example", name = "Acme", hosts = { "api.acme.example" },
      credentials = { token = { token = field.text "the token" } },
      verify = function(credential, http)
        local before = version
        local me = http.get("https://api.acme.example/me", { query = { token = credential.token } }):json()
        return identity { subject = me.id, displayName = before .. "/" .. version }
      end,
    }
    """
  }

  /// Runs the load with and without replacing, and says how fast it was, what failed and what memory it took.
  ///
  /// The store is in memory and keeps an event for each sign-in, hence the comparison.
  func replacing(signIns: Int, replacements: Int, atLeast limit: Double) async throws {
    let steady = try await run(signIns: signIns, replacements: 1)
    let load = try await run(signIns: signIns, replacements: replacements)
    print(
      "sign-ins through a plug-in replaced \(replacements) times: \(Int(load.rate)) a second, "
        + "\((limit / load.rate).formatted(.number.precision(.fractionLength(2)))) of the limit, "
        + "\(load.failures.count) failures, memory grew by \(load.growth >> 10) MiB, "
        + "where it was never replaced by \(steady.growth >> 10) MiB")
    for failure in load.failures.prefix(1) { print("  first failure: \(failure)") }
  }

  private struct Outcome {
    var rate: Double
    var failures: [String]
    /// In KiB, after the first tenth.
    var growth: Int
  }

  private func run(signIns: Int, replacements: Int) async throws -> Outcome {
    let failures = Mutex<[String]>([])
    let host = PluginHost(
      transport: Vendor(),
      log: { record in
        failures.withLock { $0.append(record.message) }
      })
    let plugins = PluginSet(host: host)
    try plugins.load(PluginSource(name: "acme.lua", text: text(0)))
    let graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([]).adding(plugins),
      policies: LuaPolicyCompiler())
    let signIn = { @Sendable (number: Int) async -> String? in
      do {
        let credential = try graph.providers.credential(id, ["token": "person-\(number % 100)"])
        let account = try await graph.signIn(credential, by: caller).account
        let versions = account.identities.first?.profile.displayName?.split(separator: "/") ?? []
        return versions.count == 2 && versions[0] == versions[1] ? nil : "mixed: \(versions)"
      } catch {
        return "\(error)"
      }
    }
    let every = signIns / replacements
    var early = 0
    let start = ContinuousClock.now
    await withTaskGroup(of: String?.self) { group in
      for number in 0..<signIns {
        if number % every == 0 {
          do {
            try plugins.load(PluginSource(name: "acme.lua", text: text(number / every + 1)))
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        if number == signIns / 10 { early = Self.residentKiB }
        group.addTask { await signIn(number) }
        if number >= 32, let wrong = await group.next() ?? nil {
          failures.withLock { $0.append(wrong) }
        }
      }
      for await wrong in group { if let wrong { failures.withLock { $0.append(wrong) } } }
    }
    let rate = Double(signIns) / ((ContinuousClock.now - start) / .seconds(1))
    return Outcome(
      rate: rate, failures: failures.withLock(\.self), growth: Self.residentKiB - early)
  }

  private static var residentKiB: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }
}
