/// A change of a scope's policies: the new settings, and the versions to add to the history.
struct PolicyRegister {
  private(set) var settings: ProjectSettings
  private(set) var added: [PolicyVersion] = []
  /// The version that the change is about; nil if it removes policies.
  private(set) var subject: PolicyVersionID?
  private let moment: Moment
  private let caller: Caller
  private let compiler: any MergePolicyCompiler

  init(
    _ settings: ProjectSettings, of compiler: any MergePolicyCompiler, at moment: Moment,
    by caller: Caller
  ) {
    self.settings = settings
    self.compiler = compiler
    self.moment = moment
    self.caller = caller
  }

  /// A text to put to use, with what its version records.
  struct Entry {
    let source: PolicySource
    var use = PolicyUse()
    var evidence: PolicyEvidence?
    var goesBackTo: Int?
  }

  /// Puts a text to use; one that is in use or on trial keeps its version.
  mutating func use(_ entry: Entry) {
    keepUnknownVersion()
    let version = version(of: entry)
    subject = version
    guard !entry.use.isTrial else {
      settings.policyTrial = PolicyTrial(
        source: entry.source, version: version, pairs: entry.use.share.map(PairShare.init))
      return
    }
    settings.policyTrial = nil
    replace(by: entry.source, version, entry.use.level)
  }

  /// Puts the policy on trial to use, or lets the one that advises decide; false if there is neither.
  mutating func promote() -> Bool {
    keepUnknownVersion()
    if let trial = settings.policyTrial {
      subject = trial.version
      settings.policyTrial = nil
      replace(by: trial.source, trial.version, .decide)
      return true
    }
    guard settings.mergePolicy != nil, settings.policyLevel == .advise else { return false }
    settings.policyLevel = nil
    subject = settings.policyVersions?.inUse
    return true
  }

  /// Removes the policy on trial, and the one in use as well unless it stays.
  mutating func remove(onlyTrial: Bool) {
    settings.policyTrial = nil
    guard !onlyTrial else { return }
    keepUnknownVersion()
    replace(by: nil, nil, .decide)
  }

  /// Takes settings that were changed as a whole; a new policy among them becomes a version.
  mutating func follow(_ changed: ProjectSettings) {
    let old = settings
    guard changed.mergePolicy != old.mergePolicy else {
      settings = changed
      return
    }
    keepUnknownVersion()
    let level = changed.policyLevel ?? .decide
    subject = changed.mergePolicy.map { version(of: Entry(source: $0, use: PolicyUse(level))) }
    let versions = settings.policyVersions
    settings = changed
    settings.policyVersions = versions
    replace(by: changed.mergePolicy, subject, subject == nil ? .decide : level)
  }

  private mutating func replace(
    by source: PolicySource?, _ version: PolicyVersionID?, _ level: PolicyLevel
  ) {
    settings.mergePolicy = source
    settings.policyLevel = level == .decide ? nil : level
    settings.policyVersions?.inUse = version
  }

  /// Gives the policy in use a version if it is from before versions were kept, so that a rollback finds its text.
  private mutating func keepUnknownVersion() {
    guard let source = settings.mergePolicy, settings.policyVersions?.inUse == nil else { return }
    let use = PolicyUse(settings.policyLevel ?? .decide)
    let version = add(Entry(source: source, use: use), reason: "in use before versions were kept")
    settings.policyVersions?.inUse = version
  }

  private mutating func version(of entry: Entry) -> PolicyVersionID {
    if entry.goesBackTo == nil {
      if let trial = settings.policyTrial, trial.source == entry.source { return trial.version }
      if settings.mergePolicy == entry.source, let version = settings.policyVersions?.inUse,
        version.digest == compiler.digest(of: entry.source)
      {
        return version
      }
    }
    return add(entry, reason: caller.reason)
  }

  private mutating func add(_ entry: Entry, reason: String?) -> PolicyVersionID {
    var versions = settings.policyVersions ?? PolicyVersions()
    versions.last += 1
    settings.policyVersions = versions
    let id = PolicyVersionID(number: versions.last, digest: compiler.digest(of: entry.source))
    added.append(
      PolicyVersion(
        id: id, source: entry.source, at: moment.now, actor: caller.actor, reason: reason,
        event: moment.eventID, use: entry.use, goesBackTo: entry.goesBackTo,
        evidence: entry.evidence))
    return id
  }
}

extension Verdict {
  /// Makes the change of a scope's policies, with the versions that it adds.
  init(_ action: Action, _ register: PolicyRegister, from snapshot: Snapshot) {
    self.init(action, register.settings, from: snapshot)
    changes.policyVersions = register.added
    details["policyVersion"] = register.subject?.detail
  }
}
