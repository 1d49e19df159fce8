import AuthCore

/// The texts of a link's page.
struct ActionWords: Sendable {
  let title: String
  let question: [String]
  let button: String
  let doneTitle: String
  let done: [String]
  /// The button and the confirmation of a refusal; nil if nothing can be refused.
  var refusal: (button: String, title: String, done: [String])?

  init(_ info: ActionCode.Info) {
    let email = info.email.text
    switch info.operation {
    case .resetPassword:
      title = "Choose a new password"
      question = ["For \(email)."]
      button = "Save"
      doneTitle = "The password was changed"
      done = ["You can sign in with the new password now. Every other session has ended."]
    case .verifyEmail:
      title = "Verify your e-mail address"
      question = [
        "Is \(email) your address, and did you ask for this? The person who uses the account below can then sign in "
          + "with your address."
      ]
      button = "It was me: verify"
      refusal = (
        "It was not me", "Your address is free",
        [
          "\(email) is not confirmed. An account that used it without your consent has lost it, and every session of "
            + "that account has ended."
        ]
      )
      doneTitle = "Your address is verified"
      done = ["You can sign in to your account with \(email)."]
    case .verifyAndChangeEmail:
      let new = info.newEmail?.text ?? email
      title = "Change your e-mail address"
      question = ["The address of the account below changes from \(email) to \(new)."]
      button = "It was me: change"
      refusal = (
        "It was not me", "Nothing was changed", ["\(new) is not confirmed, and the link is void."]
      )
      doneTitle = "Your address was changed"
      done = ["You can sign in to your account with \(new)."]
    case .recoverEmail:
      title = "Go back to your old e-mail address"
      question = [
        "Your account's address was changed. If it was not you, take the change back: the address becomes \(email) again."
      ]
      button = "Take the change back"
      doneTitle = "Your old address is back"
      done = [
        "Your account's address is \(email) again, and every session has ended.",
        "Another person may know your password. Choose a new one.",
      ]
    case .revertSecondFactorAddition:
      let factor = info.factor?.description ?? "second factor"
      title = "Remove a second factor"
      question = ["The second factor \(factor) was added to the account of \(email)."]
      button = "Remove it"
      doneTitle = "The second factor was removed"
      done = [
        "Every session of your account has ended.",
        "Another person may know your password. Choose a new one.",
      ]
    case .emailSignIn:
      title = "Sign in"
      question = []
      button = "Sign in"
      doneTitle = title
      done = []
    }
  }
}
