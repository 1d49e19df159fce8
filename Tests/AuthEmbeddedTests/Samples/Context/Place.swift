import AuthClient
import AuthCore
import AuthEmbedded
import Foundation
import IdentityToolkitService
import SQLiteStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A backend of accounts, and the codes sent to phones.
struct Place: Sendable {
  let name: String
  let backend: any AuthBackend
  /// Returns the last code that was sent to a number.
  let code: @Sendable (_ number: String) async throws -> String

  /// Returns a server in the emulator's mode, whose list of codes is read.
  static func server(_ address: URL) -> Place {
    Place(name: "http", backend: HTTPBackend(server: address)) { number in
      let list = address.appending(path: "emulator/v1/projects/demo-project/verificationCodes")
      let (data, _) = try await URLSession.shared.data(from: list)
      let codes = try JSONDecoder().decode(Codes.self, from: data).verificationCodes
      guard let code = codes.last(where: { $0.phoneNumber == number })?.code else {
        throw Failure("no code was sent to \(number)")
      }
      return code
    }
  }

  /// Returns a backend in the same process, whose messages are kept here.
  static func embedded() throws -> Place {
    let inbox = Inbox()
    var options = ServiceOptions(project: "demo-project")
    options.mode = .emulator
    options.messages = inbox
    let backend = EmbeddedBackend(
      store: try SQLiteStore.inMemory(), secrets: .ephemeral, options: options)
    return Place(name: "embedded", backend: backend) { try await inbox.code(to: $0) }
  }

  private struct Codes: Decodable {
    let verificationCodes: [Entry]

    struct Entry: Decodable {
      let phoneNumber: String
      let code: String
    }
  }
}

/// A message sender that keeps messages, so that their codes can be entered.
private actor Inbox: MessageSender {
  private var messages: [OutgoingMessage] = []

  func send(_ message: OutgoingMessage) { messages.append(message) }

  func code(to recipient: String) throws -> String {
    guard let message = messages.last(where: { $0.recipient == recipient }) else {
      throw Failure("no message was sent to \(recipient)")
    }
    return message.proof.reveal()
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
