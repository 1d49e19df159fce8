public import AuthClient
import AuthCore
import AuthEmbedded
import Foundation
import IdentityToolkitService
import NIOConcurrencyHelpers

/// The connection of a kit's clients to its server, which a test can cut and watch.
public final class TestConnection: AuthBackend {
  private let backend: EmbeddedBackend
  private let state = NIOLockedValueBox(State())

  private struct State {
    var paths: [String] = []
    var isCut = false
  }

  init(_ backend: EmbeddedBackend) { self.backend = backend }

  /// True while requests fail as without a network.
  public var isCut: Bool {
    get { state.withLockedValue(\.isCut) }
    set { state.withLockedValue { $0.isCut = newValue } }
  }

  /// The paths of all requests, oldest first, such as `/v1/accounts:signUp`.
  public var paths: [String] { state.withLockedValue(\.paths) }

  /// Answers a request; messages that it sends are in the mailbox then.
  ///
  /// Throws `URLError.notConnectedToInternet` while the connection is cut.
  public func send(_ request: BackendRequest) async throws -> BackendResponse {
    let isCut = state.withLockedValue { state in
      state.paths.append(request.path)
      return state.isCut
    }
    if isCut { throw URLError(.notConnectedToInternet) }
    let response = try await backend.send(request)
    await backend.services.courier.settled()
    return response
  }
}
