import AuthCore

/// A thing in which the conflicts of a policy differ.
struct PairDimension: Sendable {
  /// One of its values.
  struct Value: Sendable {
    /// The value in words, for the name of an example.
    let name: String
    let apply: @Sendable (inout PairDraft) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout PairDraft) -> Void) {
      (self.name, self.apply) = (name, apply)
    }
  }

  /// The side that it changes; nil if it changes the pair.
  let side: PairSide?
  /// The values beside the usual one, the simplest first.
  let values: [Value]
  /// True if it is combined with every value of the other core dimensions.
  let isCore: Bool

  init(of side: PairSide? = nil, isCore: Bool = false, values: [Value]) {
    (self.side, self.values, self.isCore) = (side, values, isCore)
  }
}

/// A kind of conflict: the place of a value for each dimension, 0 for the usual one.
struct PairKind: Hashable, Sendable {
  var values: [UInt8]

  /// The number of values that are not the usual ones, then the sum of their places.
  var weight: (Int, Int) {
    (values.count { $0 != 0 }, values.reduce(0) { $0 + Int($1) })
  }
}

/// All conflicts that a policy is tried on.
struct PairSpace: Sendable {
  let dimensions: [PairDimension]
  private let code: AuthError.Code

  init(_ dimensions: [PairDimension], code: AuthError.Code) {
    (self.dimensions, self.code) = (dimensions, code)
  }

  /// The kind with only usual values.
  var plain: PairKind { PairKind(values: Array(repeating: 0, count: dimensions.count)) }

  /// The conflict of a kind; nil if no store has such a pair.
  func conflict(_ kind: PairKind) -> MergeConflict? { draft(kind).conflict }

  func draft(_ kind: PairKind) -> PairDraft {
    var draft = PairDraft(code: code)
    for (dimension, value) in zip(dimensions, kind.values) where value > 0 {
      dimension.values[Int(value) - 1].apply(&draft)
    }
    return draft
  }

  /// The kind in words.
  func name(_ kind: PairKind) -> String {
    let names = zip(dimensions, kind.values).compactMap { dimension, value -> String? in
      guard value > 0 else { return nil }
      let name = dimension.values[Int(value) - 1].name
      return dimension.side.map { "\($0.rawValue) \(name)" } ?? name
    }
    return names.isEmpty ? "two accounts alike" : names.joined(separator: ", ")
  }

  /// All kinds: every combination of the core, each once more with further values; and every two further values alone.
  var kinds: [PairKind] {
    var kinds = core
    var random = SplitMix(state: 37)
    let others = dimensions.indices.filter {
      !dimensions[$0].isCore && !dimensions[$0].values.isEmpty
    }
    for kind in core where !others.isEmpty {
      var kind = kind
      for _ in 0...Int(random.next() % 3) {
        let place = others[Int(random.next() % UInt64(others.count))]
        kind.values[place] = UInt8(random.next() % UInt64(dimensions[place].values.count)) + 1
      }
      kinds.append(kind)
    }
    for (index, place) in others.enumerated() {
      for one in settings(of: place, in: plain) {
        kinds.append(one)
        for other in others[(index + 1)...] { kinds += settings(of: other, in: one) }
      }
    }
    return kinds
  }

  private var core: [PairKind] {
    dimensions.indices.filter { dimensions[$0].isCore }.reduce([plain]) { kinds, place in
      kinds.flatMap { [$0] + settings(of: place, in: $0) }
    }
  }

  private func settings(of place: Int, in kind: PairKind) -> [PairKind] {
    dimensions[place].values.indices.map { value in
      var copy = kind
      copy.values[place] = UInt8(value) + 1
      return copy
    }
  }

  /// The smallest kind for which a statement still holds: fewer values that are not the usual ones, then simpler ones.
  func smallest(_ kind: PairKind, _ holds: (PairKind) -> Bool) -> PairKind {
    var kind = kind
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for place in kind.values.indices where kind.values[place] > 0 {
        for value in 0..<min(kind.values[place], 3) {
          var smaller = kind
          smaller.values[place] = value
          guard holds(smaller) else { continue }
          (kind, hasChanged) = (smaller, true)
          break
        }
      }
    }
    return kind
  }
}

/// A series of random numbers that is the same in every run.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
