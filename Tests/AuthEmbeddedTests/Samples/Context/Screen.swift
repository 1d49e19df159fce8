import AuthClient
import Foundation

/// What the samples are methods of, as a view controller would be.
@MainActor final class Screen {
  /// Where a sample leaves the credential that it made.
  var credential: AuthCredential?
  var navigationController: Navigation? = Navigation()
  /// What somebody types into the prompts that come, in their order.
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

/// Counts how often a screen was left.
@MainActor final class Navigation {
  private(set) var popped = 0

  func popViewController(animated: Bool) {
    popped += 1
  }
}
