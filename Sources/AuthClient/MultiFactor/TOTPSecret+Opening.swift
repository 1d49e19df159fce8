#if os(iOS)
  import Foundation
  import UIKit

  extension TOTPSecret {
    /// Opens a URL of ``generateQRCodeURL(withAccountName:issuer:)`` in the person's authenticator app.
    @available(iOSApplicationExtension, unavailable)
    @MainActor public func openInOTPApp(withQRCodeURL qrCodeURL: String) {
      guard let url = URL(string: qrCodeURL) else { return }
      UIApplication.shared.open(url)
    }
  }
#elseif os(macOS)
  import AppKit
  import Foundation

  extension TOTPSecret {
    /// Opens a URL of ``generateQRCodeURL(withAccountName:issuer:)`` in the person's authenticator app.
    @MainActor public func openInOTPApp(withQRCodeURL qrCodeURL: String) {
      guard let url = URL(string: qrCodeURL) else { return }
      NSWorkspace.shared.open(url)
    }
  }
#endif
