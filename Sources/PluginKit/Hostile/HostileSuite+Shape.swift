import AuthCore

extension HostileSuite {
  /// The number of values of one answer to try; the rest of a long list resembles its beginning.
  private static let mostParts = 60

  /// The vendor omits a value or changes its type.
  static func shape(_ scene: Scene) -> [HostileCase] {
    var cases: [HostileCase] = []
    for index in scene.askedExchanges {
      guard case .json(let json) = scene.rehearsal.exchanges[index].response.body else { continue }
      let whole = JSONLeaf(place: .exchange(index), path: [], value: json)
      for value: JSONValue in [[:], []] where value != json {
        cases.append(
          HostileCase(
            .shape, "\(scene.title(of: whole)) answers \(value.text)",
            scene.rehearsal(with: value, at: whole), judge: scene.onlyTheSamePerson))
      }
    }
    let claims = ["iss", "aud", "azp", "exp", "iat", "sub", "nonce"]
    var counts: [JSONLeaf.Place: Int] = [:]
    for leaf in scene.parts where leaf.place != .credential && !leaf.path.isEmpty {
      if leaf.place == .idToken, !scene.verifiesToken || claims.contains(leaf.name) { continue }
      counts[leaf.place, default: 0] += 1
      guard counts[leaf.place, default: 0] <= mostParts else { continue }
      let other: JSONValue = leaf.value.isContainer ? "text" : [:]
      // Plug-ins do not distinguish null from a missing value, so one case covers both.
      let variants = leaf.takesTextOnly ? [nil] : [nil, other]
      for value in variants {
        cases.append(
          HostileCase(
            .shape, scene.title(of: leaf, becoming: value),
            scene.rehearsal(with: value, at: leaf), judge: scene.onlyTheSamePerson))
      }
    }
    return cases
  }
}
