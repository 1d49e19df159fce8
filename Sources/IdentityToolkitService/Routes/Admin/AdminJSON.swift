import AuthCore

/// The administration's JSON, with the names that the console uses.
extension Account {
  var adminJSON: JSONValue {
    var metadata: [String: JSONValue] = [
      "creationTime": .string(createdAt.text), "revision": .integer(revision),
    ]
    metadata.put("lastSignInTime", lastSignInAt?.text)
    var account: [String: JSONValue] = [
      "uid": .string(id.rawValue), "emailVerified": .bool(emailVerified),
      "disabled": .bool(disabled), "isAnonymous": .bool(isAnonymous),
      "metadata": .object(metadata), "providerData": .array(identities.map(\.adminJSON)),
      "multiFactor": .array(secondFactors.map(\.adminJSON)),
    ]
    account.put("email", email?.text)
    account.put("displayName", displayName)
    account.put("photoURL", photoURL)
    account.put("phoneNumber", phoneNumber?.text)
    if let claims = customClaims { account["customClaims"] = .object(claims.members) }
    return .object(account)
  }
}

extension Identity {
  fileprivate var adminJSON: JSONValue {
    var entry: [String: JSONValue] = [
      "providerID": .string(provider.rawValue), "uid": .string(key.subject),
      "linkedAt": .string(linkedAt.text),
    ]
    entry.put("issuer", key.issuer.isEmpty ? nil : key.issuer)
    entry.put("email", profile.email)
    entry.put("displayName", profile.displayName)
    entry.put("photoURL", profile.photoURL)
    entry.put("phoneNumber", profile.phoneNumber)
    return .object(entry)
  }
}

extension SecondFactor {
  fileprivate var adminJSON: JSONValue {
    var entry: [String: JSONValue] = ["uid": .string(id), "factorID": .string(factorID)]
    entry.put("displayName", displayName)
    entry.put("enrollmentTime", enrolledAt)
    if case .phone(let number) = kind { entry["phoneNumber"] = .string(number.text) }
    return .object(entry)
  }
}

extension Trace {
  var adminJSON: JSONValue {
    .array(
      steps.map { step in
        [
          "rule": .string(step.rule), "result": .string(step.result),
          "inputs": .object(
            Dictionary(
              step.inputs.map { ($0.name, .string($0.value)) },
              uniquingKeysWith: { first, _ in first })),
        ]
      })
  }
}

extension Receipt {
  var adminJSON: JSONValue {
    var receipt: [String: JSONValue] = [
      "id": .string(id), "action": .string(action.rawValue),
      "accountID": .string(accountID.rawValue), "dryRun": .bool(dryRun), "trace": trace.adminJSON,
    ]
    if !changes.isEmpty { receipt["changes"] = .array(changes.map(\.adminJSON)) }
    if let losses { receipt["losses"] = losses.json }
    if !waysIn.isEmpty {
      receipt["waysIn"] = .array(
        waysIn.map {
          ["account": .string($0.account.rawValue), "ways": $0.ways.json(for: .owner)]
        })
    }
    if let undo { receipt["undo"] = undo.json }
    return .object(receipt)
  }
}

extension ValueChange {
  fileprivate var adminJSON: JSONValue {
    var change: [String: JSONValue] = ["name": .string(name)]
    change["account"] = account.map { .string($0.rawValue) }
    change["from"] = from
    change["to"] = to
    return .object(change)
  }
}

extension AuditEvent {
  var adminJSON: JSONValue {
    var event: [String: JSONValue] = [
      "id": .string(id), "sequence": .integer(sequence), "at": .string(at.text),
      "action": .string(action.rawValue), "actor": .string(actor), "details": details,
      "relatedIDs": .array(relatedIDs.map { .string($0.rawValue) }),
    ]
    event.put("reason", reason)
    event.put("accountID", accountID?.rawValue)
    event.put("errorCode", errorCode)
    event.put("requestID", requestID)
    return .object(event)
  }
}

extension MergePlan {
  var adminJSON: JSONValue {
    var plan: [String: JSONValue] = [
      "survivor": survivor.adminJSON, "absorbed": absorbed.adminJSON, "result": result.adminJSON,
      "fields": .array(fields.map(\.adminJSON)),
      "movedIdentities": .array(movedIdentities.map { .string($0.description) }),
      "droppedIdentities": .array(droppedIdentities.map { .string($0.description) }),
      "cutSessions": .array(cutSessions.map { .string($0.rawValue) }),
      "notes": .array(notes.map(JSONValue.string)), "decidedBy": .string(decidedBy),
    ]
    plan["policyVersion"] = policyVersion?.wireJSON(role: policyRole)
    return .object(plan)
  }
}

extension PolicyVersionID {
  /// The version of a policy in a plan or a decision, with its part in it.
  func wireJSON(role: PolicyJudgement.Role?) -> JSONValue {
    var version: [String: JSONValue] = ["digest": .string(digest)]
    version["number"] = number.map { .integer(Int64($0)) }
    version.put("role", role?.rawValue)
    return .object(version)
  }
}

extension MergePlan.FieldOutcome {
  var adminJSON: JSONValue {
    var outcome: [String: JSONValue] = [
      "field": .string(field.rawValue), "rule": .string(rule), "differs": .bool(differs),
    ]
    outcome.put("kept", kept)
    outcome.put("other", other)
    outcome.put("result", result)
    return .object(outcome)
  }
}

extension MergeRecord {
  var adminJSON: JSONValue {
    var merge: [String: JSONValue] = [
      "id": .string(id), "at": .string(at.text), "survivor": .string(survivor.rawValue),
      "absorbed": .string(absorbed.rawValue), "actor": .string(actor),
    ]
    merge.put("reason", reason)
    merge.put("batch", batch)
    merge.put("undoneBy", undoneBy)
    merge.put("endedAt", endedAt?.text)
    return .object(merge)
  }
}
