import AuthCore
import BuiltInProviders

/// The only kind of hashes in a file for Firebase's tools, because `auth:import` takes one set of parameters.
struct HashChoice: Sendable {
  /// The parameters of the scope's imported hashes, by their name.
  private let known: [String: PasswordHashParameters]
  /// The request: an algorithm, or the name of parameters.
  private let wanted: String?
  private var counts: [String: Int] = [:]

  init(_ known: [String: PasswordHashParameters], wanted: String?) {
    self.known = known
    self.wanted = wanted
  }

  /// Counts an account's hash.
  mutating func count(_ account: Account) {
    guard let stored = account.storedPassword?.encoded,
      let id = ImportedPasswordHash(parsing: stored)?.parameterSetID,
      let parameters = known[id], parameters.isForFirebaseTools
    else { return }
    counts[id, default: 0] += 1
  }

  /// Returns the most common of the requested kinds; nil if there are no hashes.
  ///
  /// Throws `invalid-argument` if there are no hashes of the requested kind.
  func chosen() throws(AuthError) -> PasswordHashParameters? {
    let candidates = counts.filter { id, _ in
      wanted.map { $0.uppercased() == known[id]?.algorithm.rawValue || $0 == id } ?? true
    }
    let best = candidates.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let best else {
      guard let wanted else { return nil }
      let kinds = counts.keys.sorted().compactMap { known[$0]?.description }
      throw AuthError(
        .invalidArgument, "There are no hashes of \(wanted) that Firebase's tools take.",
        field: "hashes",
        remedy: kinds.isEmpty
          ? "Leave --hashes out." : "Choose one of \(kinds.joined(separator: ", ")).")
    }
    return known[best.key]
  }
}

extension PasswordHashParameters {
  /// Tells whether `auth:import` has options for the algorithm; it has none for Argon2.
  fileprivate var isForFirebaseTools: Bool { algorithm != .argon2 }

  /// The options of `auth:import` that describe the hashes, without the key.
  var firebaseOptions: String {
    optionValues.sorted { $0.key < $1.key }.map { name, value in
      "--\(name)=\(name == "hash-key" ? "KEY" : value.stringValue ?? value.text)"
    }.joined(separator: " ")
  }
}
