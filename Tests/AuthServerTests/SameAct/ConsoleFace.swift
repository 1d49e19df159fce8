import AuthCore
import LuaRuntime
import TestSupport

@testable import AdminConsole

/// The Lua console of an admin.
struct ConsoleFace: Face {
  let name = FaceName.console

  func can(_ act: Act) -> Bool {
    switch act {
    case .link, .assert, .unlink, .changeEmail, .changeNumber, .merge: true
    case .bring(let newcomer): !newcomer.isRecord && !newcomer.isGuarded
    }
  }

  func perform(_ act: Act, on stage: Stage) async throws {
    let line = try await line(for: act, on: stage)
    let (graph, scope) = (stage.server.graph, stage.server.scope)
    // A console blocks its thread, which must not be one of the pool.
    try await blocking {
      let admin = try AdminState(
        session: ConsoleSession(
          graph: graph, scope: scope, actor: "ada", defaultReason: "test",
          output: .standard(isJSON: false)))
      do throws(LuaError) {
        _ = try admin.call(admin.compile(line, name: "console"))
      } catch {
        throw Refused(code: ErrorText(error).code, said: "\(error)")
      }
    }
  }

  /// The line that an admin types.
  private func line(for act: Act, on stage: Stage) async throws -> String {
    let me = "accounts.get(\(quoted(stage.me.uid)))"
    switch act {
    case .link(let shown): return "\(me):link(\(try await credential(shown, on: stage)))"
    case .assert(let provider, let subject, let email):
      let identity = [("providerID", provider.rawValue), ("subject", subject), ("email", email)]
      return "\(me):link \(table(identity))"
    case .unlink(let provider, let force):
      return "\(me):unlink(\(quoted(provider.rawValue))\(force ? ", { force = true }" : ""))"
    case .changeEmail(let email, let verified):
      return "\(me):update \(table([("email", email)], emailVerified: verified))"
    case .changeNumber(let number): return "\(me):update \(table([("phoneNumber", number)]))"
    case .bring(let newcomer):
      let account = [
        ("uid", newcomer.uid), ("email", newcomer.email), ("phoneNumber", newcomer.number),
      ]
      let isVerified = newcomer.email == nil ? nil : newcomer.isVerified
      return "accounts.create \(table(account, emailVerified: isVerified))"
    case .merge: return "merge.plan(\(quoted("me")), \(quoted("other"))):commit { reason = 'test' }"
    }
  }

  private func credential(_ shown: Shown, on stage: Stage) async throws -> String {
    let (provider, fields): (ProviderID, [(String, String?)])
    switch shown {
    case .vendor(let subject, let email):
      provider = SameProvider.id
      fields = [("idToken", SameProvider.token(subject, email: email))]
    case .password(let email):
      provider = .password
      fields = [("email", email), ("password", Shown.password)]
    case .mail(let email):
      provider = .emailLink
      fields = [("email", email), ("link", try await stage.sentLink(to: email))]
    case .number(let number):
      let sent = try await stage.server.phoneCode(number)
      provider = .phone
      fields = [("verificationID", sent.session), ("verificationCode", sent.code)]
    }
    // Two adjacent brackets would begin a text.
    return "providers[ \(quoted(provider.rawValue)) ].credential \(table(fields))"
  }

  private func table(_ fields: [(String, String?)], emailVerified: Bool? = nil) -> String {
    var entries = fields.compactMap { name, value in value.map { "\(name) = \(quoted($0))" } }
    if let emailVerified { entries.append("emailVerified = \(emailVerified)") }
    return "{ \(entries.joined(separator: ", ")) }"
  }

  private func quoted(_ text: String) -> String { "[==[\(text)]==]" }
}
