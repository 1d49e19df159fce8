extension AuditEvent {
  /// Makes the event of an operation that a caller performs now.
  ///
  /// Texts from outside, such as an unknown uid or a script's message, are cut to their bounds. A reason is the
  /// caller's own and is checked with ``Caller/checkReason()`` before. An empty trace gets a step with the caller's
  /// authority.
  package init(
    id: String, in scope: Scope? = nil, by caller: Caller, at now: Timestamp, action: Action,
    accountID: AccountID?, relatedIDs: [AccountID] = [], errorCode: String? = nil,
    details: JSONValue = .object([:]), trace: Trace = Trace()
  ) {
    let isUnsaid = trace.steps.isEmpty && errorCode == nil
    self.init(
      id: id, scope: scope ?? caller.scope, at: now, actor: TextBounds.name.cut(caller.actor),
      reason: caller.reason.map(TextBounds.reason.cut), action: action, accountID: accountID?.cut,
      relatedIDs: relatedIDs.map(\.cut), errorCode: errorCode,
      details: details.cut.with(caller.client),
      trace: (isUnsaid ? Trace(rightOf: caller) : trace).cut)
  }
}

extension AuditEvent {
  /// The ID of the request, which the server's log and the answer's `X-Request-Id` also have; nil if unknown.
  public var requestID: String? { details["client"]?["requestID"]?.stringValue }

  /// The ID of the batch of merges that the merge or its undo belongs to; nil if it belongs to none.
  public var batch: String? { details["batch"]?.stringValue }
}

extension JSONValue {
  /// Returns the details with the client's request ID, if there is one, and its address if that is recorded.
  fileprivate func with(_ client: ClientDescription) -> JSONValue {
    guard let id = client.requestID, case .object(var members) = self else { return self }
    var recorded: [String: JSONValue] = ["requestID": .string(TextBounds.requestID.cut(id))]
    if client.isRecorded, let address = client.address {
      recorded["address"] = .string(TextBounds.name.cut(address))
    }
    members["client"] = .object(recorded)
    return .object(members)
  }
}

extension Caller {
  /// Throws `invalid-argument` if the reason is longer than `TextBounds.reason`.
  package func checkReason() throws(AuthError) {
    guard let reason else { return }
    try TextBounds.reason.check(reason, "A reason", field: "reason")
  }
}

extension AccountID {
  fileprivate var cut: AccountID {
    TextBounds.detail.allow(rawValue) ? self : AccountID(TextBounds.detail.cut(rawValue))
  }
}

extension JSONValue {
  /// The value with every text cut to the bounds of a detail.
  fileprivate var cut: JSONValue {
    guard !isWithinBounds else { return self }
    return switch self {
    case .string(let text): .string(TextBounds.detail.cut(text))
    case .array(let elements): .array(elements.map(\.cut))
    case .object(let members):
      .object(
        Dictionary(
          members.map { (TextBounds.detail.cut($0.key), $0.value.cut) },
          uniquingKeysWith: { first, _ in first }))
    case .null, .bool, .integer, .number: self
    }
  }

  private var isWithinBounds: Bool {
    switch self {
    case .string(let text): TextBounds.detail.allow(text)
    case .array(let elements): elements.allSatisfy(\.isWithinBounds)
    case .object(let members):
      members.allSatisfy { TextBounds.detail.allow($0.key) && $0.value.isWithinBounds }
    case .null, .bool, .integer, .number: true
    }
  }
}

extension Trace {
  /// The trace with every text cut to the bounds of a detail.
  fileprivate var cut: Trace {
    let isWithinBounds = steps.allSatisfy { step in
      TextBounds.detail.allow(step.rule) && TextBounds.detail.allow(step.result)
        && step.inputs.allSatisfy { TextBounds.detail.allow($0.value) }
    }
    guard !isWithinBounds else { return self }
    return Trace(
      steps: steps.map { step in
        Step(
          rule: TextBounds.detail.cut(step.rule),
          inputs: step.inputs.map {
            Input(name: $0.name, value: TextBounds.detail.cut($0.value))
          }, result: TextBounds.detail.cut(step.result))
      })
  }
}
