/// The rules that led to a decision, in the order in which they were applied; shown by `why`.
public struct Trace: Hashable, Sendable, Codable {
  /// One rule with its inputs and result.
  public struct Step: Hashable, Sendable, Codable {
    /// The name of the rule.
    public let rule: String
    /// The values that the rule looked at.
    public let inputs: [Input]
    /// The result in words.
    public let result: String

    /// Makes a step.
    public init(rule: String, inputs: [Input], result: String) {
      self.rule = rule
      self.inputs = inputs
      self.result = result
    }
  }

  /// A named value that a rule looked at.
  public struct Input: Hashable, Sendable, Codable {
    /// The name of the value.
    public let name: String
    /// The value in words.
    public let value: String

    /// Makes an input.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The steps in order.
  public private(set) var steps: [Step] = []

  /// Makes an empty trace.
  public init() {}

  init(steps: [Step]) {
    self.steps = steps
  }

  /// Appends a step for a rule.
  mutating func note(
    _ rule: String, _ inputs: KeyValuePairs<String, String?> = [:], _ result: String
  ) {
    let inputs = inputs.compactMap { name, value in
      value.map { Input(name: name, value: $0) }
    }
    steps.append(Step(rule: rule, inputs: inputs, result: result))
  }

  /// Appends the steps of another trace.
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
