public import AuthValues

/// An answer that is not the expected one, or that did not come.
public struct CaseFailure: Error, Sendable, Hashable {
  /// The number of the step, beginning with 1; nil for the settings of the case.
  public var step: Int?
  /// The method and the path.
  public let request: String
  /// The body that was sent; nil for none.
  public var sent: String?
  /// The place in the answer, such as `users[0].email`; nil for the whole.
  public var place: String?
  /// The expected value or status, in words or as JSON.
  public let expected: String
  /// The value at that place.
  public let seen: String
  /// The status and the body of the answer; nil without an answer.
  public var answer: String?
  /// True if the server gave no answer at all.
  public var isSilence = false
  /// The setting of the server that its refusal is about.
  public var neededSetting: NeededSetting?

  init(request: String, expected: String, seen: String) {
    self.request = request
    self.expected = expected
    self.seen = seen
  }

  init(request: String, expected: String, answer: IncomingAnswer) {
    self.init(request: request, expected: expected, seen: answer.summary)
    neededSetting = answer.neededSetting
  }

  /// The failure in lines for people: request, expectation and what was seen.
  public var lines: [String] {
    [
      step.map { "step \($0): \(request)" } ?? "settings: \(request)",
      sent.map { "sent      \($0)" },
      "expected  \(place.map { "\($0): " } ?? "")\(expected)",
      "seen      \(seen)",
      answer.map { "answer    \($0)" },
    ].compactMap(\.self)
  }

  /// The failure as `--json` prints it.
  public var json: JSONValue {
    [
      "step": step.map { .integer(Int64($0)) } ?? .null, "request": .string(request),
      "sent": .optional(sent), "place": .optional(place), "expected": .string(expected),
      "seen": .string(seen), "answer": .optional(answer),
    ]
  }
}

extension IncomingAnswer {
  /// The status and the body in one line.
  var summary: String {
    // The text of a page says more without the quotation marks and escapes of JSON.
    "\(status) \((body.stringValue ?? body.text).prefix(1000))"
  }
}
