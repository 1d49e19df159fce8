import AuthCore

extension HostileSuite {
  /// An access token was issued to another app, whose server knows it.
  static func app(_ scene: Scene) async throws -> [HostileCase] {
    let fields = scene.rehearsal.credential.keys.map { $0.lowercased() }
    guard fields.contains("accesstoken"), !fields.contains(where: { $0.contains("idtoken") })
    else { return [] }
    let ours = scene.ownNames
    var leaves: [JSONLeaf] = []
    for leaf in scene.parts where leaf.place != .credential {
      guard let text = leaf.text, ours.contains(text) else { continue }
      let other = scene.rehearsal(with: leaf.otherIdentifier, at: leaf)
      if try await scene.runner.run(other).identity == nil { leaves.append(leaf) }
    }
    guard !leaves.isEmpty else {
      return [
        HostileCase(
          .app, "the access token is another app's",
          failure: "it takes an access token without a check of its app: no answer that names an "
            + "app is compared with the settings.")
      ]
    }
    return leaves.flatMap { leaf in
      leaf.possible([leaf.otherIdentifier, nil, .null, "", [:]]).map { value in
        HostileCase(
          .app, scene.title(of: leaf, becoming: value), scene.rehearsal(with: value, at: leaf),
          judge: scene.mustRefuse)
      }
    }
  }
}

extension Scene {
  /// The names of the app itself: every text of the settings.
  fileprivate var ownNames: Set<String> {
    var names: Set<String> = []
    for value in runner.values.values {
      switch value {
      case .string(let text): names.insert(text)
      case .integer(let number): names.insert(String(number))
      case .array(let elements): names.formUnion(elements.compactMap(\.stringValue))
      default: break
      }
    }
    return names.filter { $0.count >= 2 }
  }
}
