import AuthCore
import Foundation
import SMTPMessages
import Yams

extension Configuration.Messages {
  init(_ top: ConfigurationSection, logs: Bool) {
    self.init()
    top.section("messages") { section in
      // One variable names either the log or the address of a webhook.
      let place = top.source.variable("AUTHGRAPH_MESSAGES")
      log = section.flag("log") ?? (logs || place == "log")
      webhook = section.section("webhook") { section in
        Configuration.Webhook(
          section, urlVariables: place == "log" ? [] : ["AUTHGRAPH_MESSAGES"],
          secretVariables: ["AUTHGRAPH_MESSAGES_SECRET"])
      }
      var texts = MessageTexts()
      if let folder = section.filePath("templates") {
        do {
          texts = try MessageTexts(folder: folder)
        } catch let error as AuthError {
          if let raw = section.raw("templates") {
            section.tell(
              "templates", "cannot be used: \(error.message)", remedy: error.remedy, at: raw)
          }
        } catch {}
      }
      for (project, name) in section.entries("projectNames") {
        texts.projectNames[project] = name.scalar?.string
      }
      smtp = section.section("smtp") { Self.smtp($0, texts) }
    }
  }

  private static func smtp(
    _ section: ConfigurationSection, _ texts: MessageTexts
  ) -> SMTPConfiguration? {
    let protection = section.choice("protection", SMTPConfiguration.Protection.self) ?? .startTLS
    let host = section.text("host")
    let port = section.number("port", in: 1...65535) ?? protection.usualPort
    let from = section.text("from")
    let fromName = section.text("fromName")
    let user = section.text("user")
    let password = section.secret("password")
    let certificates = section.filePath("certificates")
    let seconds = section.number("timeoutSeconds", in: 1...600)
    let clientName = section.text("clientName")
    guard section.isWritten || host != nil else { return nil }
    guard let host, let from else {
      section.tell(
        host == nil ? "host" : "from", "is missing.",
        remedy: "Mail needs the server's host and the sender's address.", at: section.node)
      return nil
    }
    var smtp = SMTPConfiguration(host: host, port: port, protection: protection, from: from)
    smtp.fromName = fromName
    smtp.userName = user
    smtp.password = password
    smtp.texts = texts
    if let seconds { smtp.timeout = .seconds(seconds) }
    if let clientName { smtp.clientName = clientName }
    if let certificates {
      smtp.trustedCertificates = try? String(contentsOfFile: certificates, encoding: .utf8)
      if smtp.trustedCertificates == nil, let raw = section.raw("certificates") {
        section.tell("certificates", "is \(certificates), which cannot be read.", at: raw)
      }
    }
    check(smtp, section)
    return smtp
  }

  /// Reports settings that the sender would refuse.
  private static func check(_ smtp: SMTPConfiguration, _ section: ConfigurationSection) {
    // A password that could not be read was already reported.
    if smtp.userName != nil, smtp.password == nil, section.member("password") != nil { return }
    do {
      _ = try SMTPMessageSender(smtp)
    } catch {
      let name = error.field ?? "host"
      if let raw = section.raw(name) {
        section.tell(name, "cannot be used: \(error.message)", remedy: error.remedy, at: raw)
      } else {
        section.tell(
          name, "cannot be used: \(error.message)", remedy: error.remedy, at: section.node)
      }
    }
  }
}

extension Configuration.Webhook {
  /// Reads `url` and `secret`; nil if there is no URL.
  init?(
    _ section: ConfigurationSection, urlVariables: [String] = [], secretVariables: [String] = []
  ) {
    let raw = section.raw("url", variables: urlVariables)
    let secret = section.secret("secret", variables: secretVariables)
    guard let raw else {
      if section.isWritten { section.tell("url", "is missing.", at: section.node) }
      return nil
    }
    guard let address = WebAddress(raw.text) else {
      section.tell("url", "is no web address.", remedy: "Write it as https://HOST/PATH.", at: raw)
      return nil
    }
    if !address.isSecure, !address.isLoopback {
      section.warn(
        "url", "has no https, so others may read what goes there.",
        remedy: "Use https beyond this machine.", at: raw)
    }
    guard let secret else {
      if section.member("secret") == nil {
        section.tell(
          "secret", "is missing; requests are signed with it.",
          remedy: "Write secret: { file: PATH }, and give the service the same.", at: raw)
      }
      return nil
    }
    self.init(url: raw.text, secret: secret)
  }
}
