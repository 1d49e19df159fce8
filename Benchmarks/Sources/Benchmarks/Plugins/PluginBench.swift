import AuthCore
import AuthTesting
import Foundation
import LuaPlugins
import NIOConcurrencyHelpers

/// Signs people in through a Lua plug-in that is replaced again and again.
struct PluginBench {
  private let id = ProviderID("acme.example")
  private let caller = Caller(scope: Scope(project: "bench"), authority: .anyone)

  /// A vendor in memory that returns the person whom the token names, after yielding to other tasks.
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

  /// Runs the load with and without replacements, and prints the speed, the failures and the memory.
  ///
  /// The comparison is needed because the store is in memory and keeps an event for each sign-in.
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
    /// The growth of memory in KiB, after the first tenth.
    var growth: Int
  }

  private func run(signIns: Int, replacements: Int) async throws -> Outcome {
    let failures = NIOLockedValueBox<[String]>([])
    let host = PluginHost(
      transport: Vendor(),
      log: { record in
        failures.withLockedValue { $0.append(record.message) }
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
            failures.withLockedValue { $0.append("\(error)") }
          }
        }
        if number == signIns / 10 { early = Self.residentKiB }
        group.addTask { await signIn(number) }
        if number >= 32, let wrong = await group.next() ?? nil {
          failures.withLockedValue { $0.append(wrong) }
        }
      }
      for await wrong in group { if let wrong { failures.withLockedValue { $0.append(wrong) } } }
    }
    let rate = Double(signIns) / ((ContinuousClock.now - start) / .seconds(1))
    return Outcome(
      rate: rate, failures: failures.withLockedValue(\.self), growth: Self.residentKiB - early)
  }

  /// Signs in through a fast plug-in while another one's scripts never end, and prints the time.
  func besideEndless(limit: Duration) async throws {
    let host = PluginHost(transport: Vendor())
    let plugins = PluginSet(host: host)
    try plugins.load(PluginSource(name: "acme.lua", text: text(0)))
    try plugins.load(
      PluginSource(
        name: "endless.lua",
        text: """
          return provider {
            id = "endless.example", name = "Endless",
            credentials = { token = { token = field.text "the token" } },
            verify = function() while true do end end,
          }
          """))
    let graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([]).adding(plugins),
      policies: LuaPolicyCompiler())
    let signIn = { @Sendable (provider: String) async throws -> Duration in
      let start = ContinuousClock.now
      let credential = try graph.providers.credential(ProviderID(provider), ["token": "ada"])
      _ = try await graph.signIn(credential, by: caller)
      return ContinuousClock.now - start
    }
    _ = try await signIn("acme.example")
    let times = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { _ = try? await signIn("endless.example") } }
      var times: [Duration] = []
      for _ in 0..<200 { times.append(try await signIn("acme.example")) }
      group.cancelAll()
      return times.sorted()
    }
    let (median, longest) = (times[times.count / 2], times[times.count - 1])
    print(
      "sign-in beside 100 endless ones of another plug-in: median \(Self.shown(median)), longest "
        + "\(Self.shown(longest)), \((longest / limit).formatted(.number.precision(.fractionLength(2)))) "
        + "of the limit")
  }

  private static func shown(_ time: Duration) -> String {
    "\((time / .milliseconds(1)).formatted(.number.precision(.fractionLength(1)))) ms"
  }

  private static var residentKiB: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
  }
}
