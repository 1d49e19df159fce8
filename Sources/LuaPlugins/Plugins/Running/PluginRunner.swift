import AuthCore
import LuaRuntime

/// An argument of a plug-in's function.
enum PluginArgument: Sendable {
  case json(JSONValue)
  case secret(Secret<String>?)
  /// The answer of a token endpoint, whose secrets are opaque.
  case tokens(JSONValue?)
  case credential(Credential)
  /// A token to revoke, with its kind.
  case revoked(RevocationToken)
  case http, settings
}

/// The answer of a plug-in's function.
enum PluginAnswer: Sendable {
  case json(JSONValue)
  case identity(PluginIdentity)
}

/// Runs the functions of one version of a plug-in.
///
/// Every sign-in has its own Lua state, in which the file runs again: no data passes from one person to the next. A
/// script that waits for its vendor holds no thread.
actor PluginRunner {
  private static let largestPool = 16
  nonisolated let source: PluginSource
  nonisolated let host: PluginHost
  private nonisolated let executor: PluginExecutor
  private var idle: [PluginScript] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ source: PluginSource, _ host: PluginHost) {
    self.source = source
    self.host = host
    executor = PluginExecutor(source.name)
  }

  /// Calls the function at a place such as `verify` or `identity.photoURL`.
  func call(
    _ place: String, _ arguments: [PluginArgument], _ session: PluginSession
  ) async throws -> PluginAnswer {
    let answers = try await call([place], arguments, session)
    return answers[place] ?? .json(.null)
  }

  /// Calls several functions with the same arguments.
  func call(
    _ places: [String], _ arguments: [PluginArgument], _ session: PluginSession
  ) async throws -> [String: PluginAnswer] {
    let script = try idle.popLast() ?? PluginScript(source, host)
    script.begin(session)
    defer {
      script.begin(nil)
      if script.isReusable, idle.count < Self.largestPool { idle.append(script) }
    }
    let answers: [String: PluginAnswer]
    do throws(LuaError) {
      answers = try await script.answers(of: places, to: arguments, in: session)
    } catch {
      throw failure(error, session)
    }
    if let failure = session.failure { throw refused(failure, session) }
    return answers
  }

  /// The error of the sign-in: the vendor's or the script's refusal, or a fault of the plug-in.
  private func failure(_ error: LuaError, _ session: PluginSession) -> any Error {
    if !error.isAbort, let failure = session.failure {
      // A script that caught the failure may have ended with another error, whose line says nothing.
      let isSame =
        error.cause != nil
        || (failure as? AuthError).map { error.message.hasSuffix($0.message) } ?? false
      return refused(failure, session, place: isSame ? error : nil)
    }
    if let cause = error.cause { return refused(cause, session, place: error) }
    let message = error.message
    let place = source.place(of: error) ?? source.name
    return outOfOrder(message, place, session)
  }

  /// The refusal of a vendor or of the script itself, which is not a fault of the plug-in.
  private func refused(
    _ error: any Error, _ session: PluginSession, place: LuaError? = nil
  ) -> any Error {
    let line = place.flatMap { source.place(of: $0) }
    guard var refusal = error as? AuthError else {
      guard !(error is CancellationError) else { return error }
      // Its remedy says more than the message alone, such as to call with a colon.
      let call = (error as? LuaCallError).map { "\($0)" }
      return outOfOrder(call ?? place?.message ?? "\(error)", line, session)
    }
    guard refusal.code != .pluginFailed else {
      return outOfOrder(
        [refusal.message, refusal.remedy ?? ""].joined(separator: " "), line, session)
    }
    refusal.step = refusal.step ?? .profile
    return refusal
  }

  /// Logs a fault of the plug-in, and makes an error without details for the client.
  nonisolated func outOfOrder(
    _ fault: String, _ place: String?, _ session: PluginSession
  ) -> AuthError {
    session.report(fault, place: place ?? source.name)
    return AuthError(
      .pluginFailed, "The plug-in of \(session.declaration.id) failed.",
      remedy: "Try again later; an admin finds the mistake in the server's log.", step: .profile,
      cause: AuthError(.invalidPlugin, "\(place ?? source.name): \(session.masked(fault))"))
  }
}

extension LuaError {
  fileprivate static func answer(_ message: String) -> LuaError { LuaError(.conversion, message) }
}

extension PluginArgument {
  fileprivate func lua(_ session: PluginSession, _ script: PluginScript) -> LuaValue {
    switch self {
    case .json(let json): json.luaWithoutNulls
    case .secret(let secret): secret.map { .secret(LuaSecret($0.reveal())) } ?? .nil
    case .tokens(let answer): answer.map(TokenAnswer.lua) ?? .nil
    case .revoked(let token): .table(token.lua)
    case .credential(let credential): .table(credential.lua(session.declaration))
    case .settings: .table(session.luaSettings)
    case .http: script.http
    }
  }
}

extension RevocationToken {
  /// The kind of the token, and the token as an opaque value.
  fileprivate var lua: LuaTable {
    var table = LuaTable()
    let (kind, value): (String, Secret<String>) =
      switch self {
      case .accessToken(let token): ("accessToken", token)
      case .refreshToken(let token): ("refreshToken", token)
      case .authorizationCode(let code, _): ("authorizationCode", code)
      }
    table["kind"] = .string(kind)
    table["value"] = .secret(LuaSecret(value.reveal()))
    if case .authorizationCode(_, let redirectURI) = self {
      table["redirectURI"] = .optional(redirectURI)
    }
    return table
  }
}

extension Credential {
  /// The fields as a Lua table; secret ones are opaque.
  fileprivate func lua(_ declaration: PluginDeclaration) -> LuaTable {
    var table = LuaTable()
    table["builder"] = .string(builder)
    for field in declaration.builders.first(where: { $0.name == builder })?.fields ?? [] {
      guard let value = self[field.name], !value.isEmpty else { continue }
      table[field.name] = field.isSecret ? .secret(LuaSecret(value)) : .string(value)
    }
    return table
  }
}

extension PluginSession {
  /// The settings as functions see them; secret ones are opaque.
  fileprivate var luaSettings: LuaTable {
    var table = LuaTable()
    for field in declaration.settings {
      switch field.type {
      case .secret:
        if let secret = try? settings.secret(field.name) {
          table[field.name] = .secret(LuaSecret(secret.reveal()))
        }
      case .text, .url: table[field.name] = .optional(settings.text(field.name))
      case .list:
        let values = settings.list(field.name).map { LuaValue.string($0) }
        table[field.name] = .table(LuaTable(array: values))
      case .flag: table[field.name] = settings.flag(field.name).map { .bool($0) } ?? .nil
      case .number: table[field.name] = .optional(settings.number(field.name))
      case .names, .urls: break
      }
    }
    for setting in declaration.ownSettings where table[setting.name].isNil {
      table[setting.name] = setting.fallback?.lua ?? .nil
    }
    return table
  }
}

extension PluginScript {
  /// Runs the functions at some places of the declaration; missing ones have no answer.
  fileprivate func answers(
    of places: [String], to arguments: [PluginArgument], in session: PluginSession
  ) async throws(LuaError) -> [String: PluginAnswer] {
    guard let declared = try declare() else { return [:] }
    var answers: [String: PluginAnswer] = [:]
    for place in places {
      guard let function = function(at: place, in: declared) else { continue }
      let values = arguments.map { $0.lua(session, self) }
      let results = try await state.run(function, values)
      let result = results.first ?? .nil
      if let identity = result.objectValue?.value as? PluginIdentity {
        answers[place] = .identity(identity)
      } else {
        guard let json = JSONValue(result) else {
          throw LuaError.answer("\(place) returned \(result.typeName), which is no plain value")
        }
        answers[place] = .json(json)
      }
    }
    return answers
  }

  private func function(at place: String, in declared: LuaReference) -> LuaFunction? {
    let names = place.split(separator: ".").map(String.init)
    var table = declared
    for name in names.dropLast() {
      guard let inner = state.field(name, of: table).referenceValue else { return nil }
      table = inner
    }
    let last = names.last ?? ""
    return (Int(last).map { state.element($0, of: table) } ?? state.field(last, of: table))
      .functionValue
  }
}
