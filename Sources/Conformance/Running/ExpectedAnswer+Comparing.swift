import AuthValues

extension ExpectedAnswer {
  /// Returns the first difference of an answer; nil if it is the expected one, whose names are then kept.
  func mismatch(
    with answer: IncomingAnswer, _ values: inout CaseValues, now: Timestamp
  ) -> Mismatch? {
    do throws(Mismatch) {
      try compare(answer, &values, now: now)
      return nil
    } catch {
      return error
    }
  }

  private func compare(
    _ answer: IncomingAnswer, _ values: inout CaseValues, now: Timestamp
  ) throws(Mismatch) {
    guard answer.status == status else {
      var expected = "\(status)"
      if case .code(let code) = failure { expected += " \(try values.filled(code))" }
      throw Mismatch(path: "status", expected: expected, seen: .integer(Int64(answer.status)))
    }
    try compareError(answer, &values, now: now)
    try body?.match(answer.body, &values, now: now)
    for (name, matcher) in headers.sorted(by: { $0.key < $1.key }) {
      do throws(Mismatch) {
        try matcher.match(answer.headers[name].map(JSONValue.string), &values, now: now)
      } catch {
        throw error.inside("header \(name)")
      }
    }
    for name in absent {
      guard let member = answer.body[name] else { continue }
      throw Mismatch(path: name, expected: "no member", seen: member)
    }
  }

  private func compareError(
    _ answer: IncomingAnswer, _ values: inout CaseValues, now: Timestamp
  ) throws(Mismatch) {
    let message = answer.errorMessage
    switch failure {
    case nil: break
    case .message(let matcher):
      do throws(Mismatch) {
        try matcher.match(message.map(JSONValue.string), &values, now: now)
      } catch {
        throw error.inside("error.message")
      }
    case .code(let code):
      let code = try values.filled(code)
      // Clients cut the code off at the first colon, with or without spaces around it.
      let isCode = message.map { seen in
        seen == code || [" : ", ": "].contains { seen.hasPrefix(code + $0) }
      }
      guard isCode ?? false else {
        throw Mismatch(
          path: "error.message", expected: code, seen: message.map(JSONValue.string))
      }
    }
  }
}
