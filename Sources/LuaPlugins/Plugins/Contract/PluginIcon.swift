import AuthCore
import Foundation

/// The icon of a plug-in.
///
/// Pictures that can hold scripts, such as SVG, are refused.
public enum PluginIcon: Sendable, Hashable, CustomStringConvertible {
  /// An https address.
  case address(String)
  /// A data address with the picture in it.
  case data(String)
  /// A file beside the plug-in, or in its bundle.
  case file(String)

  static let mostBytes = 32 << 10
  private static let types = ["png", "jpeg", "webp", "gif"]

  /// Reads an icon; nil if it is none of the three forms.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.mostBytes else { return nil }
    if text.hasPrefix("https://") {
      guard URLText.host(of: text) != nil, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      self = .address(text)
    } else if let match = text.prefixMatch(of: /data:image\/([a-z]+);base64,/) {
      guard Self.types.contains(String(match.1)),
        let bytes = Data(base64Encoded: String(text[match.range.upperBound...])), !bytes.isEmpty
      else { return nil }
      self = .data(text)
    } else {
      guard text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(png|jpg|jpeg|webp|gif)/) != nil
      else { return nil }
      self = .file(text)
    }
  }

  /// The icon as the declaration writes it.
  public var description: String {
    switch self {
    case .address(let text), .data(let text), .file(let text): text
    }
  }

  /// The name of the file; nil for an address.
  var fileName: String? {
    if case .file(let name) = self { name } else { nil }
  }
}
