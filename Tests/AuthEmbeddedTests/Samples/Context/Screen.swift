import AuthClient
import Foundation

/// The type that the samples' methods belong to, as in a view controller.
@MainActor final class Screen {
  /// The credential that a sample made.
  var credential: AuthCredential?
  var navigationController: Navigation? = Navigation()
  /// The answers to the prompts, in order.
  var answers: [@MainActor () async throws -> String] = []
  private(set) var promptsShown = 0
  private(set) var messages: [String] = []

  func showTextInputPrompt(
    withMessage message: String, completionBlock: @escaping (Bool, String?) -> Void
  ) {
    promptsShown += 1
    guard !answers.isEmpty else { return completionBlock(false, nil) }
    let answer = answers.removeFirst()
    Task {
      do {
        completionBlock(true, try await answer())
      } catch {
        messages.append("No answer to a prompt: \(error)")
      }
    }
  }

  func showMessagePrompt(_ message: String) {
    messages.append(message)
  }
}

/// A counter of how often the screen was left.
@MainActor final class Navigation {
  private(set) var popped = 0

  func popViewController(animated: Bool) {
    popped += 1
  }
}
