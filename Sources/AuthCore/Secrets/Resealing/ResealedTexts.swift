import Synchronization

/// Which new text stands for which old one.
///
/// An account and its entries in the journal of merges have the same texts, and are equal afterwards as well, so that a
/// merge can be undone as before.
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
