import AuthCore

/// One fault of a vendor or a client, and the judgement of its result.
struct HostileCase {
  let group: PluginTestReport.Group
  /// The fault in words, such as `GET /users/@me answers 500`.
  let name: String
  /// Plays the case; returns the actual and the expected result, or nil if it passed.
  private let play: (ScenarioRunner) async throws -> String?

  init(
    _ group: PluginTestReport.Group, _ name: String,
    play: @escaping (ScenarioRunner) async throws -> String?
  ) {
    self.group = group
    self.name = name
    self.play = play
  }

  /// A case of one rehearsal; `judge` returns the expected result instead, or nil.
  init(
    _ group: PluginTestReport.Group, _ name: String, _ rehearsal: Rehearsal,
    judge: @escaping (Outcome) -> String?
  ) {
    self.init(group, name) { runner in
      let outcome = try await runner.run(rehearsal)
      if case .failed(let what) = outcome.ending {
        return "\(name): it ended with \(what); a vendor's answer must not do that."
      }
      guard let wanted = judge(outcome) else { return nil }
      return "\(name): it ended with \(outcome.text); \(wanted)."
    }
  }

  /// A case that has already failed, because a necessary part is missing.
  init(_ group: PluginTestReport.Group, _ name: String, failure: String) {
    self.init(group, name) { _ in "\(name): \(failure)" }
  }

  func failure(on runner: ScenarioRunner) async throws -> String? { try await play(runner) }
}

/// A successful scenario, to be played again with one fault.
struct Scene {
  let runner: ScenarioRunner
  let rehearsal: Rehearsal
  /// The identity of the sign-in without a fault.
  let identity: VerifiedIdentity
  let log: ReplayTransport.Log

  var subject: String { identity.key?.subject ?? "" }
  var email: String? { identity.profile.email }

  /// The recorded exchanges that were requested, in order.
  var askedExchanges: [Int] {
    var seen: [Int] = []
    for case .exchange(let index) in log.asked where !seen.contains(index) { seen.append(index) }
    return seen
  }

  /// True if keys were read, and so an ID token was verified.
  var verifiesToken: Bool {
    log.asked.contains { if case .keys = $0 { true } else { false } }
  }

  func title(of target: VendorTarget) -> String {
    switch target {
    case .exchange(let index):
      let request = rehearsal.exchanges[index].request
      let twins = rehearsal.exchanges.indices.filter {
        rehearsal.exchanges[$0].request.title == request.title
      }
      let number = twins.firstIndex(of: index).map { twins.count > 1 ? " (\($0 + 1))" : "" } ?? ""
      return request.title + number
    case .keys: return "the address of the keys"
    case .discovery: return "the discovery document"
    }
  }

  /// Judges by the identity: none, or exactly the one of the first sign-in.
  func onlyTheSamePerson(_ outcome: Outcome) -> String? {
    guard let other = outcome.identity else { return nil }
    guard other.key == identity.key else {
      return "it should have been refused, or stayed \(subject)"
    }
    let isKnown = other.email == identity.email || vouches(for: other.profile.email)
    let isVouched = (identity.emailVerified && isKnown) || says(other.profile.email)
    guard !other.emailVerified || isVouched else {
      return "the vendor did not say that this address is verified"
    }
    return nil
  }

  /// Tells whether the vendor vouches for another address in the same list as for the replaced one.
  ///
  /// Bitbucket has people with two primary, confirmed addresses; without the first the second one is right.
  private func vouches(for address: String?) -> Bool {
    guard let address, let email else { return false }
    let leaves = parts.filter { $0.place != .credential }
    let flags = leaves.filter { $0.value == true || $0.text == "true" }
    func words(beside leaf: JSONLeaf) -> Set<String> {
      Set(
        flags.filter { $0.place == leaf.place && $0.path.dropLast() == leaf.path.dropLast() }
          .map(\.name))
    }
    return leaves.contains { taken in
      let said = taken.text == email ? words(beside: taken) : []
      return !said.isEmpty
        && leaves.contains { other in
          other.text == address && taken.isTwin(of: other)
            && said.isSubset(of: words(beside: other))
        }
    }
  }

  /// Tells whether the vendor names another address somewhere with a verification beside it.
  ///
  /// Userinfo may name an address that the ID token does not.
  func says(_ address: String?) -> Bool {
    guard let address, address != email else { return false }
    let leaves = parts.filter { $0.place != .credential }
    let words = leaves.filter { leaf in
      let name = leaf.name.lowercased()
      return (name.contains("verif") || name.contains("confirm"))
        && (leaf.value == true || leaf.text == "true")
    }
    return leaves.contains { named in
      named.text == address
        && words.contains {
          $0.place == named.place && $0.path.dropLast() == named.path.dropLast()
        }
    }
  }

  /// Expects that the sign-in is refused.
  func mustRefuse(_ outcome: Outcome) -> String? {
    outcome.identity == nil ? nil : "it should have been refused"
  }
}

/// Every kind of fault, each as a list of cases for a scene.
enum HostileSuite {
  static var all: [(Scene) async throws -> [HostileCase]] {
    [transport, subject, email, app, token, shape, credential, replay]
  }
}
