extension Question {
  /// Every question, including those that differ only in names.
  static let all = Kind.allCases.flatMap(questions)

  /// The first of each group of questions that differ only in names.
  static let normal = all.filter { question in
    Renaming.all.allSatisfy { question.renamed(by: $0).order >= question.order }
  }

  private static func questions(_ kind: Kind) -> [Question] {
    var list = [Question(kind)]
    func vary<Value>(_ path: WritableKeyPath<Question, Value>, _ values: [Value]) {
      list = list.flatMap { question in
        values.map { value in
          var question = question
          question[keyPath: path] = value
          return question
        }
      }
    }
    func varySettings(_ options: Settings...) {
      for option in options {
        list += list.map { question in
          var question = question
          question.settings.insert(option)
          return question
        }
      }
    }
    vary(\.asker, Question(kind).changesAccount ? Asker.allCases : [.anyone, .admin])
    switch kind {
    case .signInVendor, .linkVendor:
      vary(\.provider, [0, 1])
      vary(\.subject, [0, 1])
      list = list.flatMap { question in
        [(0, .none), (1, .said), (2, .said), (1, .verified), (2, .verified)].map {
          (address: Int, claim: Claim) in
          var question = question
          (question.address, question.claim) = (address, claim)
          return question
        }
      }
      varySettings(.sharedAddresses, .trustsFirst, .manyIdentities)
      varySettings(kind == .linkVendor ? .policy : .noSignUp)
      if kind == .linkVendor {
        // Only the trust in the question's own provider matters.
        list = list.map(\.trustingOnlyItsProvider)
      } else {
        varySettings(.trustsSecond)
      }
    case .signInPassword, .signInStalePassword:
      vary(\.address, [1, 2])
      varySettings(.sharedAddresses)
    case .signInLink:
      vary(\.address, [1, 2])
      varySettings(.sharedAddresses, .trustsFirst, .trustsSecond, .noSignUp)
    case .signInAnonymous, .signInApp: varySettings(.noSignUp)
    case .signUp:
      vary(\.address, [1, 2])
      varySettings(.sharedAddresses, .noSignUp)
    case .linkPassword:
      vary(\.address, [1, 2])
      varySettings(.sharedAddresses, .trustsFirst, .trustsSecond, .policy, .tellsAddresses)
    case .linkLink:
      vary(\.address, [1, 2])
      varySettings(.sharedAddresses, .trustsFirst, .trustsSecond, .policy)
    case .assert:
      vary(\.provider, [0, 1])
      vary(\.subject, [0, 1])
      varySettings(.manyIdentities, .policy)
    case .unlinkVendor:
      vary(\.provider, [0, 1])
      vary(\.subject, [nil, 0, 1])
      vary(\.isForced, [false, true])
      varySettings(.manyIdentities, .lastMayGo)
    case .unlinkPassword, .unlinkLink:
      vary(\.isForced, [false, true])
      varySettings(.lastMayGo)
    }
    return list
  }

  /// The question with the first provider's trust moved to its own provider, and none for the other.
  private var trustingOnlyItsProvider: Question {
    guard provider == 1, settings.contains(.trustsFirst) else { return self }
    var question = self
    question.settings.remove(.trustsFirst)
    question.settings.insert(.trustsSecond)
    return question
  }
}
