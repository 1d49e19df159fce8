import AuthValues
import Synchronization

/// A configuration that a played server keeps as Firebase's emulator does.
///
/// A mask that names a member that the body lacks keeps the member, and a body without a mask replaces everything.
final class KeptConfiguration: Sendable {
  private let state: Mutex<JSONValue>

  init(_ document: JSONValue) {
    state = Mutex(document)
  }

  var document: JSONValue { state.withLock { $0 } }

  /// Answers requests for the configuration, and all others with an account.
  ///
  /// `clears` says that a member that the mask names and the body lacks is removed, as Google's servers do.
  func answer(to request: HTTPRequest, clears: Bool = false) throws -> HTTPResponse {
    guard request.line.hasSuffix("/config") else { return .json(["localId": "a"]) }
    guard request.method == .patch else { return .json(document) }
    let body = try JSONValue(text: request.text)
    let mask = URLText.query(of: request.url)?["updateMask"]
    state.withLock { document in
      guard let mask else { return document = body }
      guard case .object(var members) = document else { return }
      for path in mask.split(separator: ",") {
        let name = String(path.prefix { $0 != "." })
        if let value = body[name] {
          members[name] = value
        } else if clears {
          members[name] = nil
        }
      }
      document = .object(members)
    }
    return .json(document)
  }
}
