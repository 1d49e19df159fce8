import AuthCore
import AuthTesting
import Testing

@Suite struct SeededGeneratorTests {
  @Test func `the same seed gives the same numbers`() {
    var first = SeededGenerator(seed: 7)
    var second = SeededGenerator(seed: 7)
    var other = SeededGenerator(seed: 8)

    let numbers = (0..<100).map { _ in first.next() }

    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(numbers != (0..<100).map { _ in other.next() })
    #expect(Set(numbers).count == 100)
  }

  @Test func `the generator gives the known numbers of SplitMix64`() {
    var generator = SeededGenerator(seed: 1_234_567)

    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }

  @Test func `a seed can be set`() {
    let generator = SeededGenerator()

    #expect(generator.description == "seed \(generator.seed)")
  }
}

@Suite struct FixedClockTests {
  @Test func `a clock stands still until it is moved`() {
    let clock = FixedClock(Timestamp(milliseconds: 5))

    #expect(clock.now == clock.now)
    clock.advance(seconds: 2)
    #expect(clock.now == Timestamp(milliseconds: 2005))
    clock.advance(seconds: -3)
    #expect(clock.now == Timestamp(milliseconds: -995))
    clock.set(Timestamp(milliseconds: 1))
    #expect(clock.now == Timestamp(milliseconds: 1))
  }
}
