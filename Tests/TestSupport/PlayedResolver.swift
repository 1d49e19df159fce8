import Synchronization

/// A name server in a test, with an answer for each lookup; the last answer stays.
public final class PlayedResolver: Sendable {
  private let state: Mutex<(answers: [[String]], asked: [String])>

  public init(_ answers: [String]...) { state = Mutex((answers, [])) }

  /// The names that were looked up, oldest first.
  public var asked: [String] { state.withLock(\.asked) }

  /// Notes the name, and returns its addresses.
  public func addresses(of host: String) -> [String] {
    state.withLock { state in
      state.asked.append(host)
      return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
    }
  }
}
