import AuthValues

extension ConformanceCase {
  init(_ value: JSONValue, area: String, in file: CasePlace) throws(AuthError) {
    let nameless = try CaseObject(
      value, "case", known: ["name", "modes", "settings", "steps"], file)
    let name = try nameless.neededText("name")
    let place = file.of(name)
    let item = CaseObject(nameless, place)
    self.area = area
    self.name = name
    modes = try item.modes()
    settings = try item.object("settings").map(JSONValue.object)
    let list = try item.neededList("steps")
    guard !list.isEmpty else { throw item.wrong("steps", "a list of at least one step") }
    var names = CaseValues.givenNames
    if let settings { try CaseTemplate.check(settings, names: names, place) }
    var steps: [ConformanceStep] = []
    for (index, entry) in list.enumerated() {
      let step = try ConformanceStep(entry, names: names, place.at(step: index + 1))
      names.formUnion(step.expected.keptNames)
      steps.append(step)
    }
    self.steps = steps
    try Self.checkPaths(of: steps, modes, place)
  }

  /// Refuses a step that only an emulator can answer in a case for production.
  private static func checkPaths(
    of steps: [ConformanceStep], _ modes: Set<ConformanceMode>, _ place: CasePlace
  ) throws(AuthError) {
    for (index, step) in steps.enumerated()
    where step.path.hasPrefix("/emulator/")
      && !step.modes.intersection(modes).isSubset(of: [.emulator])
    {
      throw place.at(step: index + 1).fault(
        "The path exists in an emulator alone.", field: "modes",
        remedy: "Give the case or the step \"modes\": [\"emulator\"].")
    }
  }
}

extension CaseObject {
  /// Makes the same object with a more exact place.
  init(_ other: CaseObject, _ place: CasePlace) {
    members = other.members
    self.place = place
  }
}

extension ExpectedAnswer {
  /// The names that the answer's matchers keep for later steps.
  var keptNames: Set<String> {
    var names = body?.keptNames ?? []
    for matcher in headers.values { names.formUnion(matcher.keptNames) }
    if case .message(let matcher) = failure { names.formUnion(matcher.keptNames) }
    return names
  }

  /// The names that the answer's matchers use.
  var freeNames: Set<String> {
    var names = body?.freeNames ?? []
    for matcher in headers.values { names.formUnion(matcher.freeNames) }
    if case .message(let matcher) = failure { names.formUnion(matcher.freeNames) }
    return names
  }
}
