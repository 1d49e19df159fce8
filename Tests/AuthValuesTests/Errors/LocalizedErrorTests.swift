import AuthValues
import Foundation
import Testing

@Suite struct `The texts of an error for Foundation` {
  private let error = AuthError(
    .storeUnavailable, "The folder cannot be made.", remedy: "Choose another one.")

  @Test func `the message is the description, and the remedy the suggestion`() {
    #expect((error as any Error).localizedDescription == "The folder cannot be made.")
    #expect(error.recoverySuggestion == "Choose another one.")
    #expect(AuthError(.internalError, "It failed.").recoverySuggestion == nil)
  }

  @Test func `an NSError has the same texts, and so has one that wraps it`() {
    let bridged = error as NSError
    #expect(bridged.localizedDescription == "The folder cannot be made.")
    #expect(bridged.localizedRecoverySuggestion == "Choose another one.")
    let outer = NSError(domain: "app", code: 1, userInfo: [NSUnderlyingErrorKey: bridged])
    let beneath = outer.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.localizedDescription == "The folder cannot be made.")
  }
}
