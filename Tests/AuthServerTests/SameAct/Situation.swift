import AuthCore
import Testing

/// An act on a starting state, with the one answer that the rules give.
struct Situation: Sendable, CustomTestStringConvertible {
  let name: String
  let act: Act
  var me = StagedAccount.ada
  var other: StagedAccount?
  /// The refusal; nil if the act is done.
  var refusal: AuthError.Code?
  /// The interfaces to test; nil for all that support the act.
  var only: Set<FaceName>?
  /// The interfaces that are allowed to answer differently.
  var exceptions: [FaceName: Exception] = [:]
  var settings: @Sendable (inout ProjectSettings) -> Void = { _ in }
  /// Further steps before the act.
  var prepare: @Sendable (Stage) async throws -> Void = { _ in }

  /// The answer of an interface that differs, with the reason.
  struct Exception: Sendable {
    /// The refusal of this interface; nil if it does the act.
    let refusal: AuthError.Code?
    let why: String
    /// A step that its explanation contains nevertheless.
    var tells: String?

    /// Returns the exception of an interface that does the act.
    static func done(_ why: String, tells: String? = nil) -> Exception {
      Exception(refusal: nil, why: why, tells: tells)
    }

    static func refused(_ code: AuthError.Code, _ why: String) -> Exception {
      Exception(refusal: code, why: why)
    }
  }

  init(
    _ name: String, _ act: Act, refusal: AuthError.Code? = nil,
    _ change: (inout Situation) -> Void = { _ in }
  ) {
    (self.name, self.act, self.refusal) = (name, act, refusal)
    change(&self)
  }

  var testDescription: String { name }

  static let all =
    links + wordedLinks + assertions + unlinkings + addresses + numbers + newcomers + merges

  /// The interfaces that support the act, in order.
  var faces: [FaceName] {
    FaceName.allCases.filter { $0.face.can(act) && only?.contains($0) ?? true }
  }

  /// Returns the expected refusal of an interface; nil if it has to do the act.
  func answer(of face: FaceName) -> String? {
    (exceptions[face].map(\.refusal) ?? refusal)?.rawValue
  }

  /// The interfaces that share one explanation.
  ///
  /// The audit log keeps less of imports.
  var kin: [[FaceName]] {
    guard case .bring = act else { return [faces] }
    return [faces.filter { !$0.isImport }, faces.filter(\.isImport)]
  }
}

extension Situation {
  /// Returns a merge policy for both conflicts.
  fileprivate static func policy(_ answer: String, isUnproven: Bool) -> PolicySource {
    PolicySource(
      name: "house",
      text: """
        return policy {
          name = "house", on = { "credential-already-in-use", "email-already-in-use" },
          unproven = \(isUnproven), decide = function(c) \(answer) end,
        }
        """)
  }

  /// Sets a policy that merges conflicting accounts.
  mutating func merging(isUnproven: Bool = false) {
    decide("return merge { into = c.existing, from = c.current }", isUnproven: isUnproven)
  }

  /// Sets a merge policy with this answer.
  mutating func decide(_ answer: String, isUnproven: Bool = false) {
    let (policy, before) = (Self.policy(answer, isUnproven: isUnproven), settings)
    settings = { settings in
      before(&settings)
      settings.mergePolicy = policy
    }
  }
}
