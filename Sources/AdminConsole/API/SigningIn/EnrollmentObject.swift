import AuthCore
import LuaRuntime

/// An enrolment in progress: the key for an authenticator app, and the completion with the first code.
struct EnrollmentObject {
  let session: ConsoleSession

  func install(in state: LuaState) {
    var type = LuaObjectType(name: "enrollment", fields: ["factorID", "expiresAt"])
    type.get = { _, object, field in
      guard let view = object.value as? EnrollmentView else { return nil }
      switch field {
      case "factorID": return .values([.string(view.kind)])
      case "expiresAt": return .values([.string(view.enrollment.expiresAt.text)])
      default: return nil
      }
    }
    type.describe = { ($0.value as? EnrollmentView)?.shortText ?? "enrollment" }
    type.method("finish", finish)
    type.method("reveal") { call in [.string(try keyURI(call))] }
    type.method("qr", showCode)
    type.method("save", save)
    state.define(type)
  }

  private func finish(_ call: LuaCall) throws -> [LuaValue] {
    let view = try call.object(1, as: EnrollmentView.self, type: "enrollment")
    let code = try call.secretText(2, "code")
    let table = try call.options(3)
    try table.refuseUnknown(["displayName"] + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: ["displayName"], call, 4)
    let name = try table.text("displayName")
    let done = try session.change(options, holding: [view.held]) { graph, caller in
      try await graph.finishEnrollment(
        view.enrollment, code: code, displayName: name, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: done.receipt))]
  }

  /// Returns the key URI, which is shown only by this explicit request.
  private func keyURI(_ call: LuaCall) throws -> String {
    let view = try call.object(1, as: EnrollmentView.self, type: "enrollment")
    guard let totp = view.totp else {
      throw AuthError(
        .operationNotAllowed, "A phone has no key; the code was sent to it.",
        remedy: "Go on with enrollment:finish(code).")
    }
    let issuer = "AuthGraph \(session.scope)"
    return TOTPKeyURI(issuer: issuer, account: totp.accountName, secret: totp.secret).text.reveal()
  }

  /// Shows the key URI as a QR code; returns the URI itself if the screen has no room for the code.
  private func showCode(_ call: LuaCall) throws -> [LuaValue] {
    let uri = try keyURI(call)
    guard !session.output.isJSON,
      let code = QRText(uri)?.painted(for: session.output.profile)
    else { return [.string(uri)] }
    session.output.show(code, unless: session.isInterrupted)
    return []
  }

  /// Writes the key URI to a new file that only its owner can read.
  private func save(_ call: LuaCall) throws -> [LuaValue] {
    let uri = try keyURI(call)
    try session.host.create(try call.string(2, "path"), Array((uri + "\n").utf8))
    return []
  }
}

/// An enrolment as a script holds it.
struct EnrollmentView: Sendable {
  let enrollment: SecondFactorEnrollment
  let totp: TOTPEnrollment?
  /// The account of the new factor.
  let held: HeldAccount

  init(_ enrollment: SecondFactorEnrollment, totp: TOTPEnrollment?, of held: HeldAccount) {
    self.held = held
    self.enrollment = enrollment
    self.totp = totp
  }

  var kind: String { totp == nil ? "phone" : "totp" }

  var object: LuaValue { .object(LuaObject(type: "enrollment", value: self)) }

  var shortText: String {
    let how =
      totp == nil
      ? "a code was sent to the phone"
      : "qr() shows the key for the app; save(path) and reveal() give it as a URI"
    return "enrollment of a \(kind) factor: \(how), then finish(code)"
  }
}
