public import AuthCore
import LuaPlugins

/// A new plug-in and its fixture, which pass `plugin test` unchanged; `plugin check` warns that they name no vendor yet.
public struct PluginTemplate: Sendable {
  /// The protocol of a vendor.
  public enum Kind: String, Sendable, CaseIterable {
    case oauth2, oidc, custom
  }

  /// The text of the Lua file.
  public let plugin: String
  /// The text of the JSON file.
  public let fixture: String

  /// Makes the texts; throws `invalid-argument` for an ID that no plug-in can have, such as a built-in provider's.
  public init(id: String, kind: Kind) throws(AuthError) {
    guard id.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,127}/) != nil else {
      throw AuthError(
        .invalidArgument, "\"\(id)\" cannot be the ID of a provider.", field: "name",
        remedy: "Use letters, digits, dots, dashes and underscores, such as example.com.")
    }
    let word = id.prefix { $0 != "." }
    let name = word.prefix(1).uppercased() + word.dropFirst()
    let text: String
    switch kind {
    case .oauth2:
      text = Self.oauth2
      fixture = Self.oauth2Fixture(id).text
    case .oidc:
      text = Self.oidc
      fixture = Self.oidcFixture(id).text
    case .custom:
      text = Self.custom
      fixture = Self.customFixture(id).text
    }
    plugin = text.replacing("NAME", with: name).replacing("\"ID\"", with: "\"\(id)\"")
    do throws(AuthError) {
      _ = try LuaPlugin.provider(
        PluginSource(name: "\(id).lua", text: plugin),
        host: PluginHost(transport: RefusingTransport()))
    } catch {
      // There is no file yet, so its name and line would lead nowhere.
      let reason = error.message.replacing("\(id).lua:", with: "")
        .drop { $0.isNumber || $0 == ":" || $0 == " " }
      throw AuthError(
        .invalidArgument, "No plug-in can be called \"\(id)\": \(reason)", field: "name",
        remedy: "Choose another name.")
    }
  }
}

extension PluginTemplate {
  private static let oauth2 = """
    -- Signs people in with NAME. An admin sets up there: …
    return provider {
      id = "ID",
      name = "NAME",
      kind = "oauth2",
      api = 1,
      documentation = "https://vendor.example/docs/oauth",
      hosts = { "vendor.example" }, -- every host that the plug-in requests

      authorize = "https://vendor.example/oauth/authorize",
      token = "https://vendor.example/oauth/token",
      userinfo = "https://vendor.example/api/me",
      scopes = { "profile", "email" },
      -- The app of an access token. Without it, if the vendor has no such endpoint, only codes are accepted.
      app = {
        "https://vendor.example/oauth/introspect",
        method = "POST",
        basic = true,
        form = { token = "{accessToken}" },
        clientID = "client_id",
        subject = "user_id", -- the person of the token, if the vendor names one
      },

      identity = {
        subject = "id", -- never changed, and never given to another person
        email = "email",
        emailVerified = "email_verified", -- remove it if the vendor does not send it
        displayName = { "name", "login" },
        photoURL = "avatar",
        screenName = "login",
      },
    }

    """

  private static let oidc = """
    -- Signs people in with NAME, by OpenID Connect. An admin sets up there: …
    return provider {
      id = "ID",
      name = "NAME",
      kind = "oidc",
      api = 1,
      documentation = "https://vendor.example/docs/openid",
      hosts = { "vendor.example" }, -- every host that the plug-in requests

      issuer = "https://vendor.example",
      discovery = false, -- remove it and the next five if the issuer has a discovery document
      authorize = "https://vendor.example/authorize",
      token = "https://vendor.example/token",
      userinfo = "https://vendor.example/userinfo",
      keys = "https://vendor.example/keys",
      algorithms = { "RS256" },
      scopes = { "openid", "email", "profile" },
      -- by default sub, email, email_verified, name (or given_name and family_name), picture; name other claims here
      identity = { screenName = "nickname" },
    }

    """

  private static let custom = """
    -- Signs people in with NAME, by the vendor's own method. An admin sets up there: …
    return provider {
      id = "ID",
      name = "NAME",
      kind = "custom",
      api = 1,
      documentation = "https://vendor.example/docs/tickets",
      hosts = { "vendor.example" }, -- every host that the plug-in requests
      settings = {
        clientID = setting.text { "the app's ID", required = true },
        clientSecret = setting.secret { "the app's secret", required = true },
      },
      credentials = {
        ticket = { ticket = field.secret "the ticket that the vendor gave to the app" },
      },

      verify = function(credential, http, settings)
        local answer = http.post("https://vendor.example/api/tickets/check", {
          basic = { settings.clientID, settings.clientSecret },
          form = { ticket = credential.ticket },
        }):json()
        if pick(answer, "app_id") ~= settings.clientID then
          refuse { "The ticket was made for another app.", field = "ticket", step = "token" }
        end
        return identity {
          subject = pick(answer, "user.id"), -- never changed by the vendor
          email = pick(answer, "user.email"),
          emailVerified = pick(answer, "user.email_verified") == true,
          displayName = pick(answer, "user.name"),
          claims = pick(answer, "user"),
        }
      end,
    }

    """
}

/// Refuses every request, because a declaration sends none.
private struct RefusingTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(.networkRequestFailed, "A declaration sends no requests.")
  }
}
