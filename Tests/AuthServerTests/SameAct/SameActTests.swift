import AuthCore
import Testing

/// One act has one outcome, one code and one explanation, whatever the interface.
///
/// A failure prints the observations on the interface that differs and on the reference: the refusal in the audit
/// log, the rules with their results, and the accounts afterwards. The table of situations has the expected answer.
@Suite(.serialized) struct `The same act on every face` {
  @Test(arguments: Situation.all)
  func `has one answer`(_ situation: Situation) async throws {
    for seen in try await Sightings.shared.of(situation) {
      let answer = situation.answer(of: seen.face)
      #expect(
        seen.refusal == answer,
        "\(seen.face.rawValue) should say: \(answer ?? "done")\n\(seen)")
    }
  }

  @Test(arguments: Situation.all)
  func `leaves the same accounts`(_ situation: Situation) async throws {
    let all = try await Sightings.shared.of(situation)
    let alike = all.filter { situation.answer(of: $0.face) == situation.refusal?.rawValue }
    let first = try #require(alike.first)
    for seen in alike.dropFirst() {
      #expect(seen.accounts == first.accounts, "\(seen)\n\(first)")
    }
  }

  @Test(arguments: Situation.all)
  func `has the same trace`(_ situation: Situation) async throws {
    let all = try await Sightings.shared.of(situation)
    for kin in situation.kin {
      let alike = all.filter { kin.contains($0.face) && situation.exceptions[$0.face] == nil }
      guard let first = alike.first else { continue }
      for seen in alike.dropFirst() {
        #expect(seen.story == first.story, "\(seen)\n\(first)")
        #expect(seen.offers == first.offers, "\(seen)\n\(first)")
      }
    }
    for seen in all {
      guard let step = situation.exceptions[seen.face]?.tells else { continue }
      #expect(seen.story?.contains(step) == true, "no step \"\(step)\"\n\(seen)")
    }
  }

  @Test(arguments: Situation.all.filter { $0.refusal != nil })
  func `names the rule that refused`(_ situation: Situation) async throws {
    for seen in try await Sightings.shared.of(situation) {
      guard seen.refusal != nil, let story = seen.story else { continue }
      #expect(story.contains { !$0.hasPrefix("authority: yes") }, "\(seen)")
    }
  }

  @Test(arguments: Situation.all)
  func `is compared, and each exception is of a face that is asked`(_ situation: Situation) {
    #expect(situation.faces.count > situation.exceptions.count)
    #expect(situation.exceptions.keys.allSatisfy(situation.faces.contains))
    #expect(Situation.all.count { $0.name == situation.name } == 1)
  }
}
