// SPDX-License-Identifier: Apache-2.0
import CMicroHTTPD
import CairnLocks
import Glibc

/// The open connections, each with the time when its request or the rest of its answer must have
/// arrived.
///
/// All clients have the same address, so no limit per address tells them apart. Instead, a new
/// connection closes the oldest one if there are too many.
final class OpenConnections: Sendable {
  private struct Connection {
    let socket: Int32
    /// Counts up, for connections of the same second.
    let number: Int
    /// Nil while the server works on the answer, which has a time limit of its own, and when the
    /// connection is being closed.
    var deadline: Int?
  }

  private struct Table {
    var connections: [UInt: Connection] = [:]
    var nextNumber = 0
  }

  private let most: Int
  private let table = Mutex(Table())

  /// - Parameter most: The number of connections from which on a new one closes the oldest.
  init(most: Int) { self.most = most }

  /// The number of open connections.
  var count: Int { table.withLock { $0.connections.count } }

  /// Adds a new connection.
  func add(_ connection: OpaquePointer, deadline: Int) {
    let socket = cairn_http_socket(connection)
    table.withLock { table in
      if table.connections.count >= most {
        let oldest = table.connections.filter { $0.value.deadline != nil }
          .min { $0.value.number < $1.value.number }
        if let oldest { Self.close(oldest.key, &table) }
      }
      table.connections[UInt(bitPattern: connection)] = Connection(
        socket: socket, number: table.nextNumber, deadline: deadline)
      table.nextNumber += 1
    }
  }

  /// Removes a connection, before its socket is closed.
  func remove(_ connection: OpaquePointer) {
    table.withLock { _ = $0.connections.removeValue(forKey: UInt(bitPattern: connection)) }
  }

  /// Sets the deadline of a connection, nil for none, and makes it the newest one.
  func extend(_ connection: OpaquePointer, to deadline: Int?) {
    table.withLock { table in
      let key = UInt(bitPattern: connection)
      guard let known = table.connections[key] else { return }
      table.connections[key] = Connection(
        socket: known.socket, number: table.nextNumber, deadline: deadline)
      table.nextNumber += 1
    }
  }

  /// Closes the connections whose deadline has passed.
  func closeOverdue(_ now: Int) {
    table.withLock { table in
      for (key, connection) in table.connections {
        if let deadline = connection.deadline, deadline < now { Self.close(key, &table) }
      }
    }
  }

  /// Has the server find the connection ended.
  private static func close(_ key: UInt, _ table: inout Table) {
    guard let connection = table.connections[key] else { return }
    table.connections[key]?.deadline = nil
    shutdown(connection.socket, Int32(SHUT_RDWR))
  }
}
