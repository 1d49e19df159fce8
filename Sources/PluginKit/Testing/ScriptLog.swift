import LuaPlugins
import Synchronization

/// What a plug-in logs in one rehearsal.
final class ScriptLog: Sendable {
  private let records = Mutex<[PluginLogRecord]>([])

  var lines: [PluginLogRecord] { records.withLock { $0 } }

  func append(_ record: PluginLogRecord) { records.withLock { $0.append(record) } }

  func clear() { records.withLock { $0 = [] } }
}
