/// The visible parts of a message: the subject, and the same content as plain text and as HTML.
struct MessageText: Hashable, Sendable {
  let subject: String
  let plain: String
  let html: String
}
