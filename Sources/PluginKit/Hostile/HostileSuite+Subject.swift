import AuthCore

extension HostileSuite {
  /// The vendor's subject is missing or unusable, in every place that it is read from.
  static func subject(_ scene: Scene) async throws -> [HostileCase] {
    let leaves = try await scene.subjectLeaves()
    if let email = scene.email, email.lowercased() == scene.subject.lowercased() {
      return [
        HostileCase(
          .subject, "the vendor gives the address to another person",
          failure: "the subject is the address, which a person can change and another person can "
            + "get. Use the identifier that the vendor never changes.")
      ]
    }
    guard !leaves.isEmpty else { return try await unread(scene) }
    let variants: [JSONValue?] = [
      nil, .null, "", [:], [], true,
      // 2^53 + 1, which becomes the number before it in a double.
      .integer(9_007_199_254_740_993), .number(1.5),
      .string(String(repeating: "9", count: 300)), "a\u{0}b",
    ]
    var cases = leaves.flatMap { leaf in
      variants.filter { !leaf.takesTextOnly || $0 == nil || $0?.stringValue != nil }
        .map { value in
          HostileCase(
            .subject, scene.title(of: leaf, becoming: value),
            scene.rehearsal(with: value, at: leaf), judge: scene.onlyTheSamePerson)
        }
    }
    cases += foreignProfiles(scene)
    return cases
  }

  /// The ID token and the requested profile belong to two people (OpenID Connect Core 5.3.2).
  private static func foreignProfiles(_ scene: Scene) -> [HostileCase] {
    guard scene.verifiesToken, let subject = scene.rehearsal.idToken?["sub"]?.stringValue else {
      return []
    }
    return scene.parts.filter { leaf in
      guard case .exchange(let index) = leaf.place, leaf.path.count == 1,
        // The answer that brought the ID token says nothing more about the person.
        !scene.rehearsal.exchanges[index].response.bringsIDToken
      else { return false }
      return ["sub", "id", "user_id"].contains(leaf.name) && leaf.text == subject
    }.map { leaf in
      HostileCase(
        .subject, "\(scene.title(of: leaf)) is about another person than the ID token",
        scene.rehearsal(with: leaf.otherIdentifier, at: leaf), judge: scene.mustRefuse)
    }
  }
}

extension Scene {
  /// The values that decide the identity: another value signs in another person or fails.
  func subjectLeaves() async throws -> [JSONLeaf] {
    var leaves: [JSONLeaf] = []
    for leaf in parts where isLikeSubject(leaf) {
      let outcome = try await runner.run(rehearsal(with: otherIdentifier(leaf), at: leaf))
      if outcome.identity?.key != identity.key { leaves.append(leaf) }
    }
    return leaves
  }

  /// Tells whether a value is the subject, a part of it, or contains it.
  private func isLikeSubject(_ leaf: JSONLeaf) -> Bool {
    guard let text = leaf.text, !text.isEmpty else { return false }
    return text == subject || (text.count >= 3 && subject.contains(text))
      || (subject.count >= 3 && text.contains(subject))
  }

  private func otherIdentifier(_ leaf: JSONLeaf) -> JSONValue {
    guard let text = leaf.value.stringValue, text != subject, text.contains(subject) else {
      return leaf.otherIdentifier
    }
    return .string(text.replacing(subject, with: subject.otherIdentifier))
  }
}

extension JSONLeaf {
  /// An identifier of the same form as this one.
  var otherIdentifier: JSONValue {
    if case .integer(let number) = value { return .integer(number == .max ? 1 : number + 1) }
    return .string((text ?? "").otherIdentifier)
  }
}

extension String {
  /// The text with each digit and letter replaced by its neighbour.
  var otherIdentifier: String {
    String(
      map { character -> Character in
        switch character {
        case "9": "8"
        case "f", "F": character == "f" ? "e" : "E"
        case "z", "Z": character == "z" ? "y" : "Y"
        case "0"..."8", "a"..."y", "A"..."Y":
          character.unicodeScalars.first.flatMap { Unicode.Scalar($0.value + 1) }
            .map(Character.init) ?? character
        default: character
        }
      })
  }
}

extension Fixture.Response {
  /// True for a token endpoint's answer with an ID token.
  fileprivate var bringsIDToken: Bool {
    guard case .json(let json) = body else { return false }
    return json["id_token"] != nil
  }
}
