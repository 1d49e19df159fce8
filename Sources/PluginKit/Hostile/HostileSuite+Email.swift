import AuthCore
import LuaPlugins

extension HostileSuite {
  /// The vendor's address is missing, malformed or not verified.
  static func email(_ scene: Scene) async throws -> [HostileCase] {
    guard let email = scene.email else { return [] }
    let leaves = scene.parts.filter { $0.text == email && $0.place != .credential }
    let variants: [JSONValue?] = [nil, .null, "", [:], .integer(42), "ada at example.com"]
    var cases: [HostileCase] =
      leaves.isEmpty
      ? []
      : (leaves.allSatisfy(\.takesTextOnly) ? leaves[0].possible(variants) : variants).map {
        value in
        let what = value.map { "\($0.text) as the address" } ?? "no address"
        return HostileCase(
          .email, "the vendor gives \(what)", scene.rehearsal(with: value, at: leaves)
        ) { scene.unverified($0, of: email) }
      }
    if scene.identity.emailVerified { cases += try await words(scene, of: email) }
    return cases
  }

  private static func words(_ scene: Scene, of email: String) async throws -> [HostileCase] {
    let words = try await scene.wordLeaves(of: email)
    guard !words.isEmpty else {
      return [
        HostileCase(
          .email, "the vendor does not say that the address is verified",
          failure: "it claims that the address is verified without a source: nothing that the "
            + "vendor answers changes it. Leave emailVerified out.")
      ]
    }
    return words.flatMap { leaf in
      leaf.possible(variants(of: leaf, scene)).filter { $0.map(scene.isDenial) ?? true }.map {
        value in
        // If one place leaves it open, another may still verify the same address, which is no fault.
        let isOpen = value == nil || value == .null
        let leaves = isOpen ? [leaf] + scene.twins(of: leaf, email: email) : [leaf]
        return HostileCase(
          .email, scene.title(of: leaf, becoming: value), scene.rehearsal(with: value, at: leaves)
        ) { scene.unverified($0, of: email) }
      }
    }
  }

  private static func variants(of leaf: JSONLeaf, _ scene: Scene) -> [JSONValue?] {
    // A confirmation may be given as a time, and any text may be one.
    if let text = leaf.text, text != "true", text.first?.isNumber == true {
      return [nil, .null, false, ""]
    }
    let usual: [JSONValue?] = [false, "false", nil, .integer(1), "yes", .null]
    let isText = scene.runner.declaration.takesTextBooleans || leaf.value != true
    return isText ? usual : usual + ["true"]
  }
}

extension Scene {
  /// Tells whether a word of the vendor does not verify an address; a mapping may list several that do.
  fileprivate func isDenial(_ word: JSONValue) -> Bool {
    !runner.declaration.verifyingValues.contains(word)
  }

  /// Judges by whether an address counts as verified without the vendor's statement.
  fileprivate func unverified(_ outcome: Outcome, of email: String) -> String? {
    guard let other = outcome.identity else { return nil }
    guard other.key == identity.key else {
      return subject.isExactly(email)
        ? "the subject is the address; name the vendor's identifier that never changes"
        : "it should have stayed \(subject)"
    }
    guard other.emailVerified, !says(other.profile.email) else { return nil }
    return "the address should be unverified"
  }

  /// The same flag in other places that name the same address.
  fileprivate func twins(of word: JSONLeaf, email: String) -> [JSONLeaf] {
    let naming = Set(parts.filter { $0.text == email }.map(\.place))
    return parts.filter {
      $0.place != word.place && $0.place != .credential && $0.name == word.name
        && naming.contains($0.place)
    }
  }

  /// The values with the vendor's verification of the address, without which it is unverified.
  fileprivate func wordLeaves(of email: String) async throws -> [JSONLeaf] {
    let candidates = parts.filter { leaf in
      !leaf.value.isContainer && leaf.text != email && leaf.place != .credential
    }
    let isBoolean = { (leaf: JSONLeaf) in leaf.value == true || leaf.value == "true" }
    for group in [candidates.filter(isBoolean), candidates.filter { !isBoolean($0) }] {
      var words: [JSONLeaf] = []
      for leaf in group {
        let without = isBoolean(leaf) ? JSONValue.bool(false) : nil
        let outcome = try await runner.run(rehearsal(with: without, at: leaf))
        let namesIt = leaf.name.lowercased().contains(/verif|confirm|valid|edov/)
        let isWord =
          outcome.identity.map { $0.key == identity.key && !$0.emailVerified }
          ?? (namesIt && outcome.refusal != nil)
        if isWord { words.append(leaf) }
      }
      if !words.isEmpty { return words }
    }
    return []
  }
}
