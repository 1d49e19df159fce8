public import AuthValues

/// Runs cases against a server, one after the other, and deletes what they created.
public struct ConformanceRunner: Sendable {
  private let target: ConformanceTarget
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Timestamp
  private let mask: SecretMask

  /// The number of cases without any answer, one after the other, after which the run ends.
  private static let patience = 3

  /// Makes a runner.
  ///
  /// `now` is the server's time, for answers that have one.
  public init(
    _ target: ConformanceTarget, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.target = target
    self.transport = transport
    self.now = now
    mask = SecretMask(target)
  }

  /// Checks that the server answers, that the admin's token opens the project, and that the key is taken.
  ///
  /// Throws `network-request-failed`, or `invalid-argument` for a server that is none of the protocol or refuses the
  /// token or the key.
  public func check() async throws {
    let answer = try await target.sendAsAdmin(
      .get, target.configurationPath, over: transport)
    guard answer.status != 200 else {
      guard case .object = answer.body else { throw strange(answer) }
      return try await checkKey()
    }
    guard let message = answer.errorMessage else { throw strange(answer) }
    throw AuthError(
      .invalidArgument,
      "The server refuses to show the configuration of \(target.project): "
        + "\(answer.status) \(message.prefix(200))",
      field: "admin-token-file",
      remedy: target.mode == .emulator
        ? "Check --project, and that the server is an emulator. "
          + "For a production server, give --admin-token-file."
        : "Check --url, and that the server serves the project. Give a token for it: "
          + "authgraph admin-token new --project \(target.project) --scope all --name conformance")
  }

  /// Throws `invalid-argument` if the server refuses the key, because every case of a client would fail then.
  private func checkKey() async throws {
    let key = URLText.escaped(target.key.reveal())
    let answer = try await target.send(
      OutgoingRequest(
        method: .get, path: "/identitytoolkit.googleapis.com/v1/projects?key=\(key)"),
      over: transport)
    guard answer.errorMessage?.hasPrefix("API key not valid") == true else { return }
    throw AuthError(
      .invalidArgument, "The server does not take the API key of the cases.", field: "key",
      remedy: "Give one of the project's apiKeys: --key KEY")
  }

  private func strange(_ answer: IncomingAnswer) -> AuthError {
    AuthError(
      .invalidArgument,
      "The server at \(target.url) does not speak the protocol: it answers \(answer.status) "
        + "without its JSON.", field: "url", remedy: "Check the address and the port.")
  }

  /// Tells whether the server has the operations that are AuthGraph's own.
  public func hasOwnOperations() async -> Bool {
    let answer = try? await target.sendAsAdmin(.get, "/admin/v1/openapi.json", over: transport)
    return answer?.status == 200 && answer?.body["openapi"] != nil
  }

  /// Runs the cases of the target's mode; `progress` is told each result.
  ///
  /// If the task is cancelled, the case at work ends, what it changed is put back, and the report has the results so
  /// far.
  public func run(
    _ cases: [ConformanceCase],
    progress: (ConformanceReport.Result) throws -> Void = { _ in }
  ) async throws -> ConformanceReport {
    var report = ConformanceReport()
    var silent = 0
    let chosen = cases.filter { $0.modes.contains(target.mode) }
    for (index, item) in chosen.enumerated() {
      let (failure, left) = await run(item)
      report.left += left
      guard !Task.isCancelled else {
        report.isInterrupted = true
        report.unrun = chosen.count - index
        break
      }
      let result = ConformanceReport.Result(area: item.area, name: item.name, failure: failure)
      report.results.append(result)
      try progress(result)
      silent = failure?.isSilence ?? false ? silent + 1 : 0
      if silent == Self.patience {
        report.unrun = chosen.count - index - 1
        break
      }
    }
    return report
  }

  /// Runs one case; returns its failure, and the number of things that could not be put back.
  private func run(_ item: ConformanceCase) async -> (failure: CaseFailure?, left: Int) {
    var values = CaseValues(project: target.project, key: target.key.reveal())
    var changes = CaseChanges(mark: values.mark)
    let failure = await run(item, &values, &changes)
    let (made, target, transport) = (changes, target, transport)
    // A task of its own is not cancelled with the run.
    let left = await Task { await made.putBack(at: target, over: transport) }.value
    return (failure, left)
  }

  private func run(
    _ item: ConformanceCase, _ values: inout CaseValues, _ changes: inout CaseChanges
  ) async -> CaseFailure? {
    do {
      if ConfigurationSnapshot.isNeeded(for: item, in: target.mode) {
        changes.snapshot = try await ConfigurationSnapshot(of: target, over: transport)
      }
      if let settings = item.settings, let snapshot = changes.snapshot {
        let settings = try values.filled(settings)
        let change = ConfigurationChange(settings, from: snapshot)
        // Even a change without an answer may have been made.
        changes.settings = change
        do {
          try await change.make(settings, at: target, over: transport)
        } catch let refusal as CaseFailure {
          changes.settings = nil
          throw refusal
        }
      }
      for (index, step) in item.steps.enumerated() where step.modes.contains(target.mode) {
        if Task.isCancelled { break }
        guard var failure = await run(step, &values, &changes.created) else { continue }
        failure.step = index + 1
        return failure
      }
      return nil
    } catch {
      return failure(error, request: "PATCH \(target.configurationPath)")
    }
  }

  private func run(
    _ step: ConformanceStep, _ values: inout CaseValues, _ created: inout CreatedThings
  ) async -> CaseFailure? {
    let request: OutgoingRequest
    do throws(Mismatch) {
      request = try OutgoingRequest(step, values, to: target)
    } catch {
      return CaseFailure(
        request: "\(step.method.rawValue) \(step.path)", expected: error.expected, seen: "nothing")
    }
    let name = mask.masked("\(step.method.rawValue) \(request.path)")
    let sent = request.json.map { mask.masked($0).text }
    var failure: CaseFailure
    do {
      // A request that is under way is not cancelled with the run, so that what it creates is known.
      let (target, transport, sending) = (target, transport, request)
      let answer = try await Task { try await target.send(sending, over: transport) }.value
      created.note(request, answer)
      guard let mismatch = step.expected.mismatch(with: answer, &values, now: now()) else {
        return nil
      }
      let seen = mismatch.seen.map { Self.text(mask.masked($0, at: mismatch.path)) } ?? "nothing"
      failure = CaseFailure(request: name, expected: mask.masked(mismatch.expected), seen: seen)
      failure.place = mismatch.path.isEmpty ? nil : mismatch.path
      failure.answer = IncomingAnswer(answer, body: mask.masked(answer.body)).summary
      failure.neededSetting = answer.neededSetting
    } catch {
      failure = self.failure(error, request: name)
    }
    failure.sent = sent.map { String($0.prefix(1000)) }
    return failure
  }

  private func failure(_ error: any Error, request: String) -> CaseFailure {
    switch error {
    case let failure as CaseFailure: return failure
    case let mismatch as Mismatch:
      return CaseFailure(request: request, expected: mismatch.expected, seen: "nothing")
    default:
      let text = (error as? AuthError)?.message ?? "\(error)"
      var failure = CaseFailure(request: request, expected: "an answer", seen: text)
      failure.isSilence = true
      return failure
    }
  }

  private static func text(_ value: JSONValue) -> String { String(value.text.prefix(1000)) }
}
