import Synchronization
import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct ProgressBarTests {
  @Test func `a known total shows a bar, a share and the time left`() {
    let time = SteppedClock()
    let screen = Screen()
    let bar = ProgressBar(
      "import", total: 5000, profile: TerminalProfile(isTerminal: true, width: 60), clock: time,
      write: screen.write)

    bar.update(0)
    time.advance(by: .seconds(10))
    bar.update(2500)
    bar.finish()

    #expect(
      screen.written == [
        "\rimport  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0%  0/5,000",
        "\rimport  ██████████░░░░░░░░░░   50%  2,500/5,000  00:10 left",
        "\r" + String(repeating: " ", count: 59) + "\r",
      ])
  }

  @Test func `an unknown total shows the count and the time`() {
    let time = SteppedClock()
    let screen = Screen()
    let bar = ProgressBar(
      "export", profile: TerminalProfile(isTerminal: true), clock: time, write: screen.write)

    time.advance(by: .seconds(3725))
    bar.update(1_234_567)

    #expect(screen.written == ["\rexport  1,234,567  1:02:05"])
  }

  @Test func `updates in quick succession are drawn once, the last one always`() {
    let time = SteppedClock()
    let screen = Screen()
    let bar = ProgressBar(
      "x", total: 100, profile: TerminalProfile(isTerminal: true), clock: time,
      write: screen.write)

    for completed in 1...99 {
      bar.update(completed)
      time.advance(by: .milliseconds(10))
    }
    bar.update(100)

    #expect(screen.written.count == 11)
    #expect(screen.written.last?.contains("100%") == true)
  }

  @Test func `a shorter line wipes what the longer one left`() {
    let time = SteppedClock()
    let screen = Screen()
    let bar = ProgressBar(
      "x", profile: TerminalProfile(isTerminal: true), clock: time, write: screen.write)

    bar.update(1000)
    time.advance(by: .seconds(1))
    bar.update(1)

    #expect(screen.written == ["\rx  1,000  00:00", "\rx  1  00:01    "])
  }

  @Test func `nothing is written without a terminal, nor after the end`() {
    let screen = Screen()
    let silent = ProgressBar(
      "x", profile: TerminalProfile(isTerminal: false), write: screen.write)
    silent.update(1)
    silent.finish()
    let ended = ProgressBar("x", profile: TerminalProfile(isTerminal: true), write: screen.write)
    ended.finish()
    ended.update(1)
    ended.finish()

    #expect(screen.written.isEmpty)
  }

  @Test func `a narrow window cuts the text and a label cannot forge`() {
    let screen = Screen()
    let bar = ProgressBar(
      "im\u{1B}[2Jport", total: 10, profile: TerminalProfile(isTerminal: true, width: 20),
      write: screen.write)

    bar.update(5)

    #expect(screen.written == ["\rim\\u{1B}[2Jport   …"])
  }
}

/// Collects the output for the terminal.
private final class Screen: Sendable {
  private let pieces = Mutex<[String]>([])
  var written: [String] { pieces.withLock { $0 } }
  var write: @Sendable (String) -> Void { { text in self.pieces.withLock { $0.append(text) } } }
}

/// A clock that moves only on request.
private final class SteppedClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let offset = Mutex(Duration.zero)
  var now: Instant { Instant(offset: offset.withLock { $0 }) }
  let minimumResolution = Swift.Duration.zero
  func advance(by duration: Duration) { offset.withLock { $0 += duration } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    offset.withLock { $0 = max($0, deadline.offset) }
  }
}
