import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// A version of a policy, as a script holds it and people read it.
struct PolicyView: Drawing {
  /// The place of the policy in its scope.
  enum Standing {
    case inUse(PolicyLevel)
    case trial(share: Double?)
    case past
  }

  static let fields = [
    "name", "file", "on", "unproven", "text", "version", "digest", "level", "canary", "trial",
  ]

  private let policy: LuaMergePolicy
  private let source: PolicySource
  private let standing: Standing
  private let version: PolicyVersionID?
  /// The policy on trial beside this one, in short.
  private let trial: (text: String, object: LuaValue)?
  /// True if the source is shown below the facts.
  private let showsText: Bool

  /// Compiles a policy to show it; throws `invalid-policy` if the file does not compile.
  init(
    _ source: PolicySource, standing: Standing, version: PolicyVersionID?,
    trial: PolicyView? = nil, showsText: Bool
  ) throws(AuthError) {
    policy = try LuaMergePolicy(source)
    self.source = source
    self.standing = standing
    self.version = version
    self.trial = trial.map { ("\($0.policy.name), \($0.place)", $0.object) }
    self.showsText = showsText
  }

  var object: LuaValue { .object(LuaObject(type: "policy", value: self)) }

  private var triggers: [String] { policy.triggers.map(\.rawValue).sorted() }

  var shortText: String { "policy \(policy.name) of \(source.name)" }

  private var level: String? {
    switch standing {
    case .inUse(let level): level.rawValue
    case .trial(let share): share == nil ? PolicyLevel.shadow.rawValue : "canary"
    case .past: nil
    }
  }

  private var share: Double? {
    if case .trial(let share) = standing { share } else { nil }
  }

  /// The version and the level in words.
  private var place: String {
    let number = version?.number.map { "version \($0)" } ?? "no version"
    return [number, level, share.map { "\($0) of the pairs" }].compactMap(\.self)
      .joined(separator: ", ")
  }

  var lua: LuaTable {
    LuaTable(fields: [
      "name": .string(policy.name), "file": .string(source.name), "on": .strings(triggers),
      "unproven": .bool(policy.answersUnproven), "text": .string(source.text),
      "version": version?.number.map { .integer(Int64($0)) } ?? .nil,
      "digest": .optional(version?.digest), "level": .optional(level),
      "canary": share.map { .number($0) } ?? .nil, "trial": trial?.object ?? .nil,
    ])
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let title =
      switch standing {
      case .inUse: "policy in use"
      case .trial: "policy on trial"
      case .past: "policy"
      }
    var entries = [
      (key: title, value: Cell(policy.name, style: .accent)), ("file", Cell(source.name)),
      ("version", Cell(version?.label ?? "none")),
    ]
    if let level {
      entries.append(("level", Cell(share.map { "\(level), \($0) of the pairs" } ?? level)))
    }
    entries += [
      ("on", Cell(triggers.joined(separator: ", "))),
      ("unproven", Cell(policy.answersUnproven ? "offers a merge" : "is not asked")),
    ]
    if let trial { entries.append(("on trial", Cell(trial.text))) }
    let painted = KeyValueBlock(entries).painted(for: profile)
    return showsText ? painted + "\n\n" + PaintedText(source.text.trimmed) : painted
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .newlines) }
}
