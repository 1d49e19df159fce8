import Testing

@testable import AuthServer

@Suite struct `The budget of bodies` {
  @Test func `is one for all, and an address gets a quarter of it`() {
    let budget = BodyBudget(total: 1000, longestOfClient: 100)
    #expect(budget.take(250, for: "a"))
    #expect(!budget.take(1, for: "a"))
    for address in ["b", "c", "d"] { #expect(budget.take(250, for: address)) }
    #expect(!budget.take(1, for: "e"))
    #expect(!budget.take(1, for: nil))
    budget.giveBack(100, of: "b")
    #expect(!budget.take(1, for: "a"))
    #expect(budget.take(100, for: nil))
    budget.giveBack(100, of: nil)
    #expect(budget.take(100, for: "b"))
    for address in ["a", "b", "c", "d"] { budget.giveBack(250, of: address) }
    #expect(budget.take(1000, for: nil))
  }

  @Test func `a share has room for the longest body of a client`() {
    let budget = BodyBudget(total: 1000, longestOfClient: 600)
    #expect(budget.take(600, for: "a"))
    #expect(!budget.take(1, for: "a"))
  }

  @Test func `a refused share is not given back`() {
    let budget = BodyBudget(total: 100, longestOfClient: 100)
    #expect(!budget.take(101, for: "a"))
    budget.giveBack(0, of: "a")
    #expect(budget.take(100, for: "a"))
  }
}
