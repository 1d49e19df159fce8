import AuthTesting
import Foundation
import Testing

/// The server of the other tests.
@Suite struct PostgresServerTests {
  @Test func `a server survives what a test does to it`() throws {
    let server = try PostgresServer()
    let folder = try #require(server.folder)
    try server.run("create table words (word text); insert into words values ('kept')")

    try server.restart()
    #expect(try server.run("select word from words") == "kept")
    try server.kill()
    #expect(throws: PostgresServerFailure.self) { try server.run("select 1") }
    try server.start()
    #expect(try server.run("select word from words") == "kept")
    try server.pause()
    try server.resume()
    #expect(try server.run("select count(*) from words") == "1")
    try server.stop()

    #expect(FileManager.default.fileExists(atPath: folder))
  }

  @Test func `a server without references is gone with its folder`() throws {
    let folder: String
    do {
      let server = try PostgresServer()
      folder = try #require(server.folder)
    }

    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `schemas of tests are dropped`() async throws {
    let server = try PostgresServer.shared

    let schema = try await server.withSchema { url in
      let schema = String(url.split(separator: "=").last ?? "")
      try server.run("create schema \(schema); create table \(schema).t ()")
      return schema
    }

    #expect(
      try server.run("select count(*) from pg_namespace where nspname = '\(schema)'") == "0")
  }
}
