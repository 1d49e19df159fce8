/// The page that tells a person whether a vendor's request about them came.
enum EventPage {
  /// Shows an event's ID, which has letters, digits, hyphens and underscores alone; nil for an unknown event.
  static func state(of id: String?) -> Answer {
    let text =
      id.map { "The request \($0) was received, and your sign-in with this provider is removed." }
      ?? "There is no such request, or it is longer ago than 31 days."
    return .page(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>Data deletion</title>
      <h1>Data deletion</h1>
      <p>\(text)</p>
      </html>
      """, status: id == nil ? 404 : 200, headers: HandlerPage.security())
  }
}
