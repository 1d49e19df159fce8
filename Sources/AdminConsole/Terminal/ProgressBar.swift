import Foundation
import NIOConcurrencyHelpers
package import TerminalOutput

/// Shows the progress of a long job on a terminal.
///
/// Writes to standard error, so that results can be redirected, and writes nothing if that is not a terminal. Any task
/// may report progress.
package final class ProgressBar: Sendable {
  private struct State {
    var lastDrawn: Duration?
    var shownWidth = 0
    var isFinished = false
  }

  private let label: String
  private let total: Int?
  private let profile: TerminalProfile
  private let elapsed: @Sendable () -> Duration
  private let write: @Sendable (String) -> Void
  private let state = NIOLockedValueBox(State())

  /// The shortest time between two drawings.
  private static let pause = Duration.milliseconds(100)

  /// Starts the clock; nothing is drawn before the first update.
  ///
  /// `profile` describes standard error. Without a `total` only the count and the time are shown.
  package init<C: Clock>(
    _ label: String, total: Int? = nil, profile: TerminalProfile = .detect(fileDescriptor: 2),
    clock: C = ContinuousClock(),
    write: @escaping @Sendable (String) -> Void = {
      try? TextOutput.standardError.write(redrawing: $0)
    }
  ) where C.Duration == Duration {
    let start = clock.now
    self.label = VisibleText.neutralised(label)
    self.total = total
    self.profile = profile
    self.elapsed = { start.duration(to: clock.now) }
    self.write = write
  }

  /// Redraws the bar, unless it was drawn just before.
  package func update(_ completed: Int) {
    guard profile.isTerminal else { return }
    state.withLockedValue { state in
      let now = elapsed()
      let isDue = state.lastDrawn.map { now - $0 >= Self.pause } ?? true
      guard !state.isFinished, isDue || completed == total else { return }
      state.lastDrawn = now
      let line = line(completed, after: now)
      let width = line.displayWidth
      // Spaces erase the rest on every terminal, an escape sequence only on some.
      write("\r" + TextFitting.padded(line, to: state.shownWidth))
      state.shownWidth = width
    }
  }

  /// Removes the bar from the terminal.
  ///
  /// Further updates draw nothing.
  package func finish() {
    state.withLockedValue { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      guard state.lastDrawn != nil else { return }
      write("\r" + String(repeating: " ", count: state.shownWidth) + "\r")
    }
  }

  private func line(_ completed: Int, after elapsed: Duration) -> String {
    // The last column stays free: writing there makes some terminals start a new line.
    let room = profile.width - 1
    let seconds = Int(elapsed.components.seconds)
    guard let total, total > 0 else {
      return TextFitting.truncated("\(label)  \(grouped(completed))  \(clock(seconds))", to: room)
    }
    let done = min(max(completed, 0), total)
    let percent = Int(Double(done) / Double(total) * 100)
    var tail = "  " + TextFitting.padded("\(percent)%", to: 4, .trailing)
    tail += "  \(grouped(completed))/\(grouped(total))"
    if done > 0, done < total, seconds > 0 {
      tail += "  \(clock(Int(Double(seconds) / Double(done) * Double(total - done)))) left"
    }
    let barRoom = min(30, room - label.displayWidth - 2 - tail.displayWidth)
    guard barRoom >= 5 else { return TextFitting.truncated(label + tail, to: room) }
    let filled = Int(Double(done) / Double(total) * Double(barRoom))
    return label + "  " + String(repeating: "█", count: filled)
      + String(repeating: "░", count: barRoom - filled) + tail
  }

  private func clock(_ seconds: Int) -> String {
    let minutes = seconds / 60 % 60
    let tail = "\(minutes < 10 ? "0" : "")\(minutes):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
  }

  private func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let groups = digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
    return number < 0 ? "-" + groups : groups
  }
}
