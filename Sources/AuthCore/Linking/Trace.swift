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

  /// Records a rule and passes its result on.
  mutating func note(
    _ rule: String, _ inputs: KeyValuePairs<String, String?> = [:], _ result: String
  ) {
    let inputs = inputs.compactMap { name, value in
      value.map { Input(name: name, value: $0) }
    }
    steps.append(Step(rule: rule, inputs: inputs, result: result))
  }

  /// The trace as JSON, as its `Codable` form is.
  package var json: String {
    var writer = JSONWriter()
    writer.sign("{\"steps\":")
    writer.list("[", steps, "]") { writer, step in
      writer.sign("{\"inputs\":")
      writer.list("[", step.inputs, "]") { writer, input in
        writer.sign("{\"name\":")
        writer.write(input.name)
        writer.sign(",\"value\":")
        writer.write(input.value)
        writer.sign("}")
        return true
      }
      writer.sign(",\"result\":")
      writer.write(step.result)
      writer.sign(",\"rule\":")
      writer.write(step.rule)
      writer.sign("}")
      return true
    }
    writer.sign("}")
    return writer.text
  }

  /// Puts another trace behind this one.
  mutating func append(_ other: Trace) {
    steps += other.steps
  }
}
