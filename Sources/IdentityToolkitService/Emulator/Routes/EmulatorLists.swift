import AuthCore

extension EmulatorHandler {
  /// Lists the unused codes of e-mails, oldest first.
  func oobCodes() async throws -> Answer {
    let codes = try await graph.openActionCodes(in: scope)
    return .json(["oobCodes": .array(codes.map(listed))])
  }

  private func listed(_ issued: ActionCode) -> JSONValue {
    var entry: [String: JSONValue] = [
      "email": .string(issued.info.email.text),
      "requestType": .string(issued.info.operation.rawValue),
      "oobCode": .string(issued.code.reveal()),
      "oobLink": .string(letters.link(around: issued, continueURL: issued.continueURL).reveal()),
    ]
    if let newEmail = issued.info.newEmail { entry["newEmail"] = .string(newEmail.text) }
    return .object(entry)
  }

  /// Lists the unused codes that were sent to phones, oldest first.
  func verificationCodes() async throws -> Answer {
    let codes = try await graph.openPhoneCodes(in: scope)
    let entries = codes.map { open -> JSONValue in
      [
        "phoneNumber": .string(open.number.text), "code": .string(open.code.reveal()),
        "sessionInfo": .string(SessionInfo(open).text),
      ]
    }
    return .json(["verificationCodes": .array(entries)])
  }
}
