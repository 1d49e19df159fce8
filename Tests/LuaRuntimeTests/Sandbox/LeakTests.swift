import Foundation
import LuaRuntime
import Synchronization
import Testing
import TestSupport

/// An object that is counted while it is alive.
private final class Counted: Error, Sendable {
  private let alive: Alive
  init(_ alive: Alive) {
    self.alive = alive
    alive.number.add(1, ordering: .relaxed)
  }
  deinit { alive.number.subtract(1, ordering: .relaxed) }
}

private final class Alive: Sendable {
  let number = Atomic<Int>(0)
  var count: Int { number.load(ordering: .relaxed) }
}

extension Sandbox {
  @Suite struct LeakTests {
    @Test func `a hundred thousand thrown errors leave nothing behind`() throws {
      let alive = Alive()
      let state = try LuaState(profile: .plugin, configuration: .init(limits: LuaLimits()))
      let before = state.objects.count
      try state.set(
        "fail", to: .function(state.function(named: "fail") { _ in throw Counted(alive) }))

      try evaluate(state, "for i = 1, 100000 do pcall(fail, i) end")

      #expect(alive.count == 0)
      #expect(state.objects.count == before + 1)
    }

    @Test func `all objects are released with the state`() throws {
      var state: LuaState? = try LuaState(profile: .plugin)
      let objects = try #require(state?.objects)
      for number in 0..<1000 {
        _ = state?.function(named: "f\(number)") { _ in [] }
      }
      state?.collectGarbage()
      #expect(objects.count < 100)

      state = nil

      #expect(objects.count == 0)
    }

    @Test func `objects are collected`() throws {
      let state = try LuaState(profile: .plugin)
      state.define(LuaObjectType(name: "thing"))
      let before = state.objects.count
      try state.set(
        "make",
        to: .function(
          state.function(named: "make") { _ in [.object(LuaObject(type: "thing", value: 1))] }))

      try evaluate(state, "for i = 1, 10000 do local t = make() end")
      state.collectGarbage()

      #expect(state.objects.count == before + 1)
    }

    @Test func `memory of a host function beyond the limit stops the script cleanly`() throws {
      let state = try LuaState(profile: .plugin)
      try state.set(
        "flood",
        to: .function(
          state.function(named: "flood") { _ in
            [.string(String(repeating: "x", count: 8 << 20))]
          }))

      let error = try failure(state, "return pcall(flood)", limits: LuaLimits(memory: 4 << 20))

      #expect(error.code == .memory)
      #expect(try evaluate(state, "return 1") == [1])
    }

    @Test(arguments: [LuaProfile.policy, .plugin])
    func `ten thousand stopped scripts leave the memory flat`(profile: LuaProfile) throws {
      let state = try LuaState(
        profile: profile,
        configuration: .init(limits: LuaLimits(instructions: 3_000, memory: 1 << 20)))
      let scripts = try HostileScript.all.compactMap { script in
        do { return try state.load(script.source, name: script.name) } catch is LuaError {
          return nil
        }
      }
      func round() {
        for script in scripts { _ = try? state.call(script) }
      }
      for _ in 0..<10 { round() }
      let before = try residentBytes()

      for _ in 0..<(5_000 / scripts.count + 1) { round() }

      #expect(try residentBytes() - before < 8 << 20)
      #expect(try evaluate(state, "return 1", limits: LuaLimits()) == [1])
    }
  }
}
