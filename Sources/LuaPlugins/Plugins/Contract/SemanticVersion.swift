/// A version of Semantic Versioning 2.0.0 (semver.org), such as `1.2.0` or `2.0.0-beta.1`.
public struct SemanticVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let numbers: [Int]
  private let release: [String]
  /// The version as it was written.
  public let description: String

  private static let longest = 64

  /// Reads a version with three numbers; nil for anything else.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest,
      let match = text.wholeMatch(
        of:
          /(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?/
          .asciiOnlyDigits())
    else { return nil }
    numbers = [match.1, match.2, match.3].compactMap { Int($0) }
    release =
      match.4?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
    let build =
      match.5?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
    guard numbers.count == 3, !(release + build).contains(""),
      !release.contains(where: { $0.count > 1 && $0.first == "0" && $0.allSatisfy(\.isNumber) })
    else { return nil }
    description = text
  }

  /// Reads a version that may lack its last numbers: `1.0` is `1.0.0`.
  init?(short text: String) {
    let isShort = text.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil
    self.init(isShort ? text + (text.contains(".") ? ".0" : ".0.0") : text)
  }

  /// Compares the precedence; a version before its release is less than the release, and builds are equal.
  public static func < (a: SemanticVersion, b: SemanticVersion) -> Bool {
    if a.numbers != b.numbers { return a.numbers.lexicographicallyPrecedes(b.numbers) }
    if a.release.isEmpty || b.release.isEmpty { return !a.release.isEmpty && b.release.isEmpty }
    for (one, other) in zip(a.release, b.release) where one != other {
      switch (Int(one), Int(other)) {
      case (let one?, let other?): return one < other
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil): return one < other
      }
    }
    return a.release.count < b.release.count
  }

  /// Compares the precedence, without builds.
  public static func == (a: SemanticVersion, b: SemanticVersion) -> Bool {
    a.numbers == b.numbers && a.release == b.release
  }

  /// Hashes what counts for the precedence.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(release)
  }
}
