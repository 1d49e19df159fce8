import Synchronization

/// The new text for each old one.
///
/// An account and its journal entries have the same texts. They stay equal, so that a merge can still be undone.
final class ResealedTexts: Sendable {
  private let texts = Mutex<[SealedText: String]>([:])

  func text(for old: SealedText, _ seal: () throws -> String) throws -> String {
    try texts.withLock { texts in
      if let known = texts[old] { return known }
      let new = try seal()
      texts[old] = new
      return new
    }
  }
}
