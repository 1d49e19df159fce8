public import AuthCore
import LuaRuntime

/// The time, random numbers and log of one decision by a policy or a hook.
///
/// The time is fixed during a decision, and the series of `math.random` starts again with each.
final class ScriptMoment {
  private let kind: AppScriptFailure.Kind
  /// The source that log records name.
  var script: String
  private var now = Timestamp(milliseconds: 0)
  private var lines: [ScriptLogRecord] = []
  private var count = 0

  /// The number of lines that one decision may log.
  static let mostLines = 20

  init(of kind: AppScriptFailure.Kind, _ script: String) {
    self.kind = kind
    self.script = script
  }

  /// The configuration of the state that the script runs in.
  func configuration(limits: LuaLimits? = nil) -> LuaConfiguration {
    LuaConfiguration(
      limits: limits, log: { self.add($0) }, clock: { self.now.milliseconds })
  }

  /// Begins a decision.
  func begin(at now: Timestamp, seed: UInt64, in state: LuaState) {
    self.now = now
    lines = []
    count = 0
    state.seedRandom(seed)
  }

  /// Returns the lines logged since the decision began, and removes them.
  func takeLines() -> [ScriptLogRecord] {
    defer { lines = [] }
    return lines
  }

  private func add(_ record: LuaLogRecord) {
    count += 1
    guard count <= Self.mostLines else {
      if count == Self.mostLines + 1 {
        add(
          "warn", "It logs more than \(Self.mostLines) lines in one decision; the rest is dropped.",
          nil)
      }
      return
    }
    add(record.level.rawValue, record.message, record.script)
  }

  private func add(_ level: String, _ message: String, _ place: String?) {
    let cut = TextBounds(bytes: 500).cut(message)
    lines.append(
      ScriptLogRecord(
        kind: kind, script: script, level: level,
        message: cut.utf8.count < message.utf8.count ? cut + "…" : message, place: place))
  }
}

/// A line that a merge policy or a hook logged.
public struct ScriptLogRecord: Sendable, Hashable {
  /// The kind of script.
  public let kind: AppScriptFailure.Kind
  /// The policy's name, or the file of the hooks.
  public let script: String
  /// One of `info`, `warn` and `error`.
  public let level: String
  /// The text.
  public let message: String
  /// The file and line that logged, if known.
  public let place: String?
}

extension ScriptLogRecord: CustomStringConvertible {
  /// The line as tests of scripts print it: level, place, text.
  public var description: String { "\(level)\(place.map { " \($0)" } ?? ""): \(message)" }
}

/// Makes a seed of texts: equal texts in the same order give the same seed in every process.
struct RandomSeed {
  /// The hash FNV-1a.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ texts: String...) {
    for text in texts {
      for byte in text.utf8 { add(byte) }
      // This byte occurs in no UTF-8 text, so "a", "bc" and "ab", "c" differ.
      add(0xFF)
    }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
