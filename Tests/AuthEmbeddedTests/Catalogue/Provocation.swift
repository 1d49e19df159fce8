import AuthClient
import AuthCore
import Foundation
import Testing

/// A way to provoke an error of the client.
struct Provocation: Sendable, CustomStringConvertible {
  let code: AuthErrorCode
  let backends: [Backend]
  /// The keys of the error's user info besides name and description.
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

/// A backend and an error to provoke on it.
struct Provoked: Sendable, CustomStringConvertible {
  let backend: Backend
  let provocation: Provocation

  var description: String { "\(provocation), \(backend)" }

  static let all = Provocation.all.flatMap { provocation in
    provocation.backends.map { Provoked(backend: $0, provocation: provocation) }
  }
}
