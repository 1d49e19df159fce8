#if canImport(Security)
  import Foundation

  /// Only Apple's platforms ask a delegate about certificates; elsewhere the system decides alone.
  extension ExchangeDelegate {
    @objc(URLSession:didReceiveChallenge:completionHandler:)
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let answers: Void? = certificates?.urlSession?(
        session, didReceive: challenge, completionHandler: completionHandler)
      if answers == nil { completionHandler(.performDefaultHandling, nil) }
    }
  }
#endif
