/// A conflict as merge policies saw it, with their answers, kept to be decided again.
///
/// What identifies a person is masked, so that a policy decides the same about it as far as possible: see
/// ``DecisionMask``. It is written in the commit of its event, also if the change was refused, and removed after
/// ``ProjectSettings/decisionRetentionDays``.
public struct PolicyDecision: Sendable, Hashable, Identifiable {
  /// The ID of the audit event.
  public internal(set) var id: String
  /// The project or tenant.
  public internal(set) var scope: Scope
  /// The time of the event.
  public internal(set) var at: Timestamp
  /// The masked conflict; the accounts have the uids of ``DecisionMask/current`` and ``DecisionMask/existing``.
  public internal(set) var conflict: MergeConflict
  /// The answers, which name the accounts by their masked uids; the one that was carried out comes first.
  public internal(set) var judgements: [PolicyJudgement]

  /// Masks a conflict and its answers.
  package init(masking judged: JudgedConflict, id: String, scope: Scope, at: Timestamp) {
    var mask = DecisionMask(of: judged.conflict)
    (self.id, self.scope, self.at) = (id, scope, at)
    conflict = mask.masked(judged.conflict)
    judgements = judged.judgements.map { judgement in
      var masked = judgement
      masked.ruling = mask.masked(judgement.ruling)
      return masked
    }
  }

  fileprivate init() {
    (id, scope, at) = ("", Account.blank.scope, Timestamp(milliseconds: 0))
    (conflict, judgements) = (.blank, [])
  }

  /// The judgement that was carried out; nil if only a policy in the shadow was asked.
  public var carriedOut: PolicyJudgement? { judgements.first { $0.role != .shadow } }
  /// The answer that was carried out.
  public var ruling: PolicyJudgement.Ruling? { carriedOut?.ruling }
}

/// A record of the log, which writes its JSON by its fields alone.
protocol DecisionRecord: FieldRecord {}

extension DecisionRecord {
  /// Writes the JSON of the fields.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue(text: json).encode(to: encoder)
  }
}

extension PolicyDecision: DecisionRecord {
  package static var blank: PolicyDecision { PolicyDecision() }
  package static let fields: FieldList<PolicyDecision> = [
    Field("id", \.id), Field("scope", \.scope), Field("at", \.at), Field("conflict", \.conflict),
    Field("judgements", \.judgements),
  ]
}

extension MergeConflict: DecisionRecord {
  package static var blank: MergeConflict {
    MergeConflict(
      code: .credentialAlreadyInUse, current: .blank, existing: .blank, provider: ProviderID(""),
      proof: .blank, decidedAt: Timestamp(milliseconds: 0))
  }

  /// The fields that a policy sees; a new one also has a line in ``DecisionMask``.
  package static let fields: FieldList<MergeConflict> = [
    Field("code", \.code),
    Field("current", \.current),
    Field("existing", \.existing),
    Field("provider", \.provider),
    Field("proof", \.proof),
    Field("decidedAt", \.decidedAt),
    Field(later: "operation", \.operation),
    Field(later: "credential", \.credential),
    Field(later: "session", \.session),
    Field(later: "isApproved", \.isApproved),
    Field(later: "history", \.history),
  ]
}

extension ConflictHistory: DecisionRecord {
  package static var blank: ConflictHistory { ConflictHistory() }
  package static let fields: FieldList<ConflictHistory> = [
    Field("current", \.current), Field("existing", \.existing),
  ]
}

extension AbsorbedAccount: DecisionRecord {
  package static var blank: AbsorbedAccount {
    AbsorbedAccount(AccountID(""), at: Timestamp(milliseconds: 0))
  }
  package static let fields: FieldList<AbsorbedAccount> = [
    Field("uid", \.uid), Field("at", \.at),
  ]
}

extension MergeConflict.Operation: FieldValue {}

extension ConflictCredential: DecisionRecord {
  package static var blank: ConflictCredential { ConflictCredential() }
  package static let fields: FieldList<ConflictCredential> = [
    Field("subject", \.subject), Field("email", \.email),
    Field("emailVerified", \.emailVerified), Field(later: "claims", \.claims),
  ]
}

extension ConflictSession: DecisionRecord {
  package static var blank: ConflictSession { ConflictSession() }
  package static let fields: FieldList<ConflictSession> = [
    Field("signedInAt", \.signedInAt), Field("secondFactor", \.secondFactor),
    Field("recentSeconds", \.recentSeconds),
  ]
}

extension MergeProof: DecisionRecord {
  package static var blank: MergeProof { MergeProof(current: false, existing: false) }
  package static let fields: FieldList<MergeProof> = [
    Field("current", \.current), Field("existing", \.existing),
  ]
}

extension PolicyJudgement: DecisionRecord {
  package static var blank: PolicyJudgement { PolicyJudgement(policy: "", ruling: .failure("")) }
  package static let fields: FieldList<PolicyJudgement> = [
    Field("policy", \.policy), Field("version", \.version), Field("role", \.role),
    Field("ruling", \.ruling),
  ]
}

extension PolicyJudgement.Role: FieldValue, Codable {}

extension JSONValue: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.writeOrNull(self) }
}

extension AuthError.Code: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}
