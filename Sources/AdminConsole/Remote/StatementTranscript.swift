import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// The output of one statement on a server: what the client has not confirmed yet, in order.
///
/// The statement waits while the client is slow. If the client is away, the oldest output is dropped and counted, so
/// that a long write ends even without a reader.
final class StatementTranscript: Sendable {
  /// Output that the client has next, and the end if there is no more.
  struct Page: Sendable {
    var pieces: [JSONValue]
    /// The number of the first piece that is not in the page, with which the client asks for the next page.
    var next: Int
    /// The number of pieces that were dropped before the page.
    var lost: Int
    var end: JSONValue?
  }

  private struct State {
    var pieces: [(json: JSONValue, size: Int)] = []
    /// The number of the first kept piece.
    var first = 0
    var size = 0
    var end: JSONValue?
    var lastAsked = ContinuousClock.now
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWaiting: UInt64 = 0
    /// The waiters that gave up before they were entered.
    var leaving: Set<UInt64> = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  /// The size of the output that is kept for the client, and of a page.
  static let mostKept = 1 << 20
  /// The time after which a client that has not asked counts as away.
  static let awayAfter = Duration.seconds(60)

  private let state = NIOLockedValueBox(State())

  /// Adds a piece, once there is room for it.
  func append(_ json: JSONValue, size: Int, unless isStopped: () -> Bool) {
    while !isStopped(), hasToWait { Thread.sleep(forTimeInterval: 0.005) }
    let waiting = state.withLockedValue { state in
      state.pieces.append((json, size + 64))
      state.size += size + 64
      // The newest pieces stay, among them a question.
      while state.size > 2 * Self.mostKept, state.pieces.count > 1 {
        state.size -= state.pieces.removeFirst().size
        state.first += 1
      }
      return state.takeWaiting()
    }
    for one in waiting { one.resume() }
  }

  private var hasToWait: Bool {
    state.withLockedValue { state in
      state.size > Self.mostKept && ContinuousClock.now - state.lastAsked < Self.awayAfter
    }
  }

  /// Ends the transcript.
  func finish(_ end: JSONValue) {
    let waiting = state.withLockedValue { state in
      state.end = end
      return state.takeWaiting()
    }
    for one in waiting { one.resume() }
  }

  var isOver: Bool { state.withLockedValue { $0.end != nil } }
  /// The time since the client last asked for output.
  var unasked: Duration { ContinuousClock.now - state.withLockedValue(\.lastAsked) }

  /// Returns the output from a piece on, and forgets what is before it.
  ///
  /// It waits until there is output, or for a time.
  func page(from next: Int, waiting limit: Duration) async -> Page {
    if let page = take(from: next) { return page }
    await wait(limit)
    return take(from: next) ?? Page(pieces: [], next: next, lost: 0, end: nil)
  }

  /// Returns the next page; nil if there is nothing to send.
  private func take(from next: Int) -> Page? {
    state.withLockedValue { state in
      state.lastAsked = .now
      while state.first < next, !state.pieces.isEmpty {
        state.size -= state.pieces.removeFirst().size
        state.first += 1
      }
      var pieces: [JSONValue] = []
      var size = 0
      for piece in state.pieces where size < Self.mostKept {
        pieces.append(piece.json)
        size += piece.size
      }
      let isLast = pieces.count == state.pieces.count
      guard !pieces.isEmpty || state.end != nil else { return nil }
      return Page(
        pieces: pieces, next: state.first + pieces.count, lost: max(0, state.first - next),
        end: isLast ? state.end : nil)
    }
  }

  private func wait(_ limit: Duration) async {
    let id = state.withLockedValue { state in
      state.lastWaiting += 1
      return state.lastWaiting
    }
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      leave(id)
    }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLockedValue { state in
          guard state.leaving.remove(id) == nil, state.pieces.isEmpty, state.end == nil else {
            return true
          }
          state.waiting[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      leave(id)
    }
    state.withLockedValue { _ = $0.leaving.remove(id) }
  }

  private func leave(_ id: UInt64) {
    let one = state.withLockedValue { state in
      let one = state.waiting.removeValue(forKey: id)
      if one == nil { state.leaving.insert(id) }
      return one
    }
    one?.resume()
  }
}
