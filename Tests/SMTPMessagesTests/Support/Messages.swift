import AuthCore

/// A message with a link for Ada, with the test's changes.
func linkMessage(
  to recipient: String = "ada@example.com", project: String = "shop",
  from origin: String? = "203.0.113.7"
) -> OutgoingMessage {
  OutgoingMessage(
    kind: .emailLink, scope: Scope(project: project), recipient: recipient,
    proof: Secret("https://auth.example/link?code=a&lang=en"),
    expiresAt: Timestamp(milliseconds: 1_795_280_400_000), requestedFrom: origin)
}
