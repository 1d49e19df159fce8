import AuthCore
import Foundation
import LuaPlugins
import SessionTokens
import Testing

@testable import IdentityToolkitService

@Suite struct `Policies, keys, tokens and plug-ins over HTTP` {
  private static let policy = """
    return policy {
      name = "keep-current", on = { "credential-already-in-use" },
      decide = function(conflict)
        if not conflict.proof.both then return refuse "needs proof of both accounts" end
        return merge { into = conflict.current, from = conflict.existing }
      end,
      examples = {
        { name = "both proven", proof = { both = true }, expect = { into = "current" } },
        { name = "one proven", proof = { both = false }, expect = { refuse = "proof" } },
      },
    }
    """

  @Test func `a policy is tested, used, shown and removed`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/policy"
      #expect(try await home.admin("GET", path).status == 404)
      let script: JSONValue = ["name": "keep-current.lua", "text": .string(Self.policy)]
      let tested = try await home.admin("POST", "\(path):test", script)
      #expect(
        tested.json == [
          "examples": [
            ["name": "both proven", "passed": true], ["name": "one proven", "passed": true],
          ]
        ])
      #expect(try await home.admin("GET", path).status == 404)
      let used = try await home.admin("PUT", path, script)
      #expect(used.json["action"] == "change-settings", "\(used.text)")
      let shown = try await home.admin("GET", path)
      #expect(shown.json["name"] == "keep-current")
      #expect(shown.json["file"] == "keep-current.lua")
      #expect(shown.json["on"] == ["credential-already-in-use"])
      #expect(shown.json["text"] == .string(Self.policy))
      #expect(try await home.admin("DELETE", path).status == 200)
      #expect(try await home.admin("GET", path).status == 404)
    }
  }

  @Test func `a policy whose examples fail is not used unless forced`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/policy"
      let wrong = Self.policy.replacing("into = \"current\"", with: "into = \"existing\"")
      let script: [String: JSONValue] = ["name": "wrong.lua", "text": .string(wrong)]
      let reply = try await home.admin("PUT", path, .object(script))
      #expect(reply.status == 400)
      #expect(reply.json["error"]?["reason"] == "invalid-policy")
      #expect(reply.json["error"]?["message"]?.stringValue?.contains("both proven") == true)
      let silent = try await home.admin(
        "PUT", path, .object(script.merging(["force": true]) { $1 }))
      #expect(silent.json["error"]?["field"] == "reason", "\(silent.text)")
      let forced = try await home.admin(
        "PUT", path, .object(script.merging(["force": true, "reason": "ticket 7"]) { $1 }))
      #expect(forced.status == 200)
      let version = try await home.admin("GET", "\(path)/versions/1")
      #expect(version.json["examplesFailed"] == 1 && version.json["reason"] == "ticket 7")
      let broken = try await home.admin(
        "POST", "\(path):test", ["name": "x.lua", "text": "return policy {"])
      #expect(broken.json["error"]?["reason"] == "invalid-policy")
      let missing = try await home.admin("POST", "\(path):test", ["name": "x.lua"])
      #expect(missing.json["error"]?["field"] == "text")
    }
  }

  @Test func `versions are listed, and one is tried, promoted and rolled back`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/policy"
      func entries(_ reply: Reply) -> [JSONValue] {
        if case .array(let versions)? = reply.json["versions"] { versions } else { [] }
      }
      func script(_ more: [String: JSONValue] = [:]) -> JSONValue {
        let text = more.isEmpty ? Self.policy : "\(Self.policy)\n-- newer"
        return .object(["name": "keep.lua", "text": .string(text)].merging(more) { $1 })
      }
      #expect(try await home.admin("PUT", path, script()).status == 200)
      #expect(try await home.admin("PUT", path, script(["level": "shadow"])).status == 200)
      let tried = try await home.admin("GET", path)
      #expect(tried.json["version"] == 1 && tried.json["level"] == "decide")
      #expect(tried.json["trial"]?["version"] == 2 && tried.json["trial"]?["level"] == "shadow")
      #expect(try await home.admin("PUT", path, script(["canary": .number(0.1)])).status == 200)
      #expect(try await home.admin("GET", path).json["trial"]?["canary"] == .number(0.1))

      #expect(try await home.admin("POST", "\(path):promote", [:]).status == 200)
      let promoted = try await home.admin("GET", path)
      #expect(promoted.json["version"] == 2 && promoted.json["trial"] == nil)
      #expect(try await home.admin("POST", "\(path):promote", [:]).status == 403)

      #expect(try await home.admin("POST", "\(path):rollback", ["version": 1]).status == 200)
      let first = try await home.admin("GET", "\(path)/versions?limit=2")
      let versions = entries(first)
      #expect(versions.map { $0["version"] } == [3, 2] && versions[0]["goesBackTo"] == 1)
      #expect(versions.allSatisfy { $0["text"] == nil && $0["actor"] != nil })
      let token = try #require(first.json["nextPageToken"]?.stringValue)
      let rest = try await home.admin("GET", "\(path)/versions?limit=2&pageToken=\(token)")
      #expect(entries(rest).map { $0["version"] } == [1])
      #expect(
        try await home.admin("GET", "\(path)/versions/1").json["text"] == .string(Self.policy))

      for body: [String: JSONValue] in [
        ["level": "shade"], ["canary": 2], ["canary": "x"],
        ["level": "shadow", "canary": .number(0.5)],
      ] {
        let reply = try await home.admin("PUT", path, script(body))
        #expect(reply.status == 400, "\(body) \(reply.text)")
      }
      #expect(try await home.admin("GET", "\(path)/versions/9").status == 400)
      #expect(try await home.admin("POST", "\(path):rollback", ["version": 9]).status == 400)
    }
  }

  @Test func `keys are listed without their private parts, and rotated`() async throws {
    try await withServer(.production, configure: { $0.signing = .rs256 }) { home in
      let first = try await home.admin("POST", "\(home.adminRoot)/keys:rotate", [:])
      #expect(first.status == 200, "\(first.text)")
      #expect(first.json["use"] == "id-token")
      #expect(first.json["algorithm"] == "RS256")
      #expect(first.json["state"] == "signing")
      let second = try await home.admin(
        "POST", "\(home.adminRoot)/keys:rotate", ["use": "id-token", "reason": "yearly"])
      #expect(second.json["state"] == "next")
      let third = try await home.admin("POST", "\(home.adminRoot)/keys:rotate", [:])
      #expect(third.status == 403)
      let list = try await home.admin("GET", "\(home.adminRoot)/keys")
      #expect(list.json["keys"]?.items.count == 2)
      #expect(
        list.json["keys"]?.items.first?.names.isSubset(of: [
          "id", "use", "algorithm", "state", "createdAt", "activeFrom", "retiredAt",
          "publishedUntil",
        ]) == true)
      #expect(list.text.contains("PRIVATE") == false)
      for algorithm: JSONValue in ["HS256", "PS256"] {
        let wrong = try await home.admin(
          "POST", "\(home.adminRoot)/keys:rotate", ["algorithm": algorithm])
        #expect(wrong.json["error"]?["field"] == "algorithm")
      }
    }
  }

  @Test func `an admin's token is made, shown once, listed and revoked`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/adminTokens"
      let made = try await home.admin(
        "POST", path,
        ["name": "reporting", "scopes": ["accounts:read", "audit"], "expiresInSeconds": 3600])
      #expect(made.status == 200, "\(made.text)")
      let token = try made.text("token")
      let list = try await home.admin("GET", path)
      let entry = try #require(list.json["adminTokens"]?.items.first)
      #expect(entry["name"] == "reporting")
      #expect(entry["scopes"] == ["accounts:read", "audit"])
      #expect(entry["createdBy"] == "admin:ada")
      #expect(list.text.contains(token) == false)
      #expect(
        list.json["adminTokens"]?.items.first?.names
          == ["name", "scopes", "createdAt", "createdBy", "expiresAt"])
      let twice = try await home.admin("POST", path, ["name": "reporting", "scopes": ["audit"]])
      #expect(twice.json["error"]?["field"] == "name")
      let none = try await home.admin("POST", path, ["name": "x", "scopes": ["everything"]])
      #expect(none.json["error"]?["field"] == "scopes")
      #expect(try await home.admin("DELETE", "\(path)/reporting").json == [:])
      #expect(try await home.admin("DELETE", "\(path)/reporting").status == 400)
      #expect(try await home.admin("GET", path).json == ["adminTokens": []])
    }
  }

  @Test func `a server without plug-ins says so`() async throws {
    try await withServer(.production) { home in
      #expect(try await home.admin("GET", "/admin/v1/plugins").json == ["plugins": []])
      let reply = try await home.admin("POST", "/admin/v1/plugins:reload", [:])
      #expect(reply.status == 403)
      #expect(reply.json["error"]?["reason"] == "operation-not-allowed")
    }
  }
}
