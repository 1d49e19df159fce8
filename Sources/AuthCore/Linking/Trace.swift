/// The rules that led to a decision, in the order in which they were asked; what `why` prints.
public struct Trace: Hashable, Sendable, Codable {
  /// One rule with what it looked at and what it said.
  public struct Step: Hashable, Sendable, Codable {
    public let rule: String
    public let inputs: [Input]
    public let result: String

    public init(rule: String, inputs: [Input], result: String) {
      self.rule = rule
      self.inputs = inputs
      self.result = result
    }
  }

  /// A named value that a rule looked at.
  public struct Input: Hashable, Sendable, Codable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var steps: [Step] = []

  public init() {}

  init(steps: [Step]) {
    self.steps = steps
  }

  /// Records a rule and passes its result on.
  mutating func note(
    _ rule: String, _ inputs: KeyValuePairs<String, String?> = [:], _ result: String
  ) {
    let inputs = inputs.compactMap { name, value in
      value.map { Input(name: name, value: $0) }
    }
    steps.append(Step(rule: rule, inputs: inputs, result: result))
  }

  /// Puts another trace behind this one.
  mutating func append(_ other: Trace) {
    steps += other.steps
  }
}

extension Trace: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("steps", steps)
  }
}

extension Trace.Step: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("inputs", inputs)
    writer.member("result", result)
    writer.member("rule", rule)
  }
}

extension Trace.Input: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("value", value)
  }
}
