import AuthClient
import AuthCore
import Foundation
import Testing

/// How to have an error of the client's happen.
struct Provocation: Sendable, CustomStringConvertible {
  let code: AuthErrorCode
  let backends: [Backend]
  /// What the error's information has beside name and sentence.
  let keys: [String]
  let configure: @Sendable (inout HomeOptions) -> Void
  let run: @Sendable (AuthHome) async throws -> Void

  var description: String { code.name }

  init(
    _ code: AuthErrorCode, on backends: [Backend] = Backend.allCases, keys: [String] = [],
    configure: @escaping @Sendable (inout HomeOptions) -> Void = { _ in },
    _ run: @escaping @Sendable (AuthHome) async throws -> Void
  ) {
    self.code = code
    self.backends = backends
    self.keys = keys
    self.configure = configure
    self.run = run
  }

  static let all = accounts + credentials + actionCodes + phones + secondFactors + project + local
}

/// A backend and what is provoked on it.
struct Provoked: Sendable, CustomStringConvertible {
  let backend: Backend
  let provocation: Provocation

  var description: String { "\(provocation), \(backend)" }

  static let all = Provocation.all.flatMap { provocation in
    provocation.backends.map { Provoked(backend: $0, provocation: provocation) }
  }
}
