// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Planned routes in a folder, one JSON file each, named by the route's id.
///
/// Files are written atomically. Reading changes nothing: a file that is not a planned route is
/// left alone and listed in ``damaged``. Safe to use from any thread; two processes may share a
/// folder.
public final class PlannedRouteStore: Sendable {
  /// A JSON file that cannot be read as a planned route.
  public struct Damage: Hashable, Sendable {
    /// Its name.
    public var fileName: String
    /// The reason why it cannot be read.
    public var reason: String
  }

  /// Why a store cannot read or write.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder cannot be read or created.
    case folder(path: String, reason: String)
    /// A route's file cannot be written or removed.
    case file(path: String, reason: String)
    /// No route has this id.
    case notFound(UUID)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .folder(let path, let reason), .file(let path, let reason): "\(path): \(reason)"
      case .notFound(let id): "there is no route \(id.uuidString)"
      }
    }
  }

  /// A change in a store.
  public enum Change: Hashable, Sendable {
    /// A route was saved for the first time, or again.
    case saved(UUID)
    /// A route was deleted.
    case deleted(UUID)
    /// All files were read.
    case loaded
  }

  /// The largest file that is read; a route across a continent has a tenth of this.
  public static let maximumFileBytes = 64 << 20

  /// The path of the folder.
  public let folder: String
  private let state = Mutex(State())
  private let signal = ChangeSignal<Change>()
  private static let ending = ".json"

  private struct State {
    var routes: [PlannedRoute] = []
    var damaged: [Damage] = []
    /// The names of the files of each route: its own, and copies under other names.
    var fileNames: [UUID: [String]] = [:]
  }

  /// Makes a store for a folder, which need not exist. Nothing is read yet.
  public init(folder: String) { self.folder = folder }

  /// Makes a store of a folder; see ``init(folder:)``.
  public convenience init(folder: URL) { self.init(folder: folder.path) }

  /// The routes as last read or saved, the newest first.
  public var routes: [PlannedRoute] { state.withLock { $0.routes } }

  /// The JSON files that ``loadAll()`` could not read as planned routes, sorted by name.
  public var damaged: [Damage] { state.withLock { $0.damaged } }

  /// The changes made through this store from now on, in order. A slow listener gets the newest
  /// 256. Changes by other processes are not reported.
  public func changes() -> AsyncStream<Change> { signal.changes() }

  /// The route with an id, as currently in its file; nil if there is no such file or it cannot be
  /// read.
  public func route(id: UUID) -> PlannedRoute? {
    let route = try? PlannedRoute(json: contents(Self.fileName(id)))
    return route?.id == id ? route : nil
  }

  /// Reads all files and returns those in ``damaged``.
  ///
  /// Changes and renames no file. A folder that does not exist has no routes. Throws
  /// ``Failure/folder(path:reason:)``.
  @discardableResult
  public func loadAll() throws(Failure) -> [Damage] {
    guard FileManager.default.fileExists(atPath: folder) else {
      state.withLock { $0 = State() }
      signal.tell(.loaded)
      return []
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .folder(path: folder, reason: Self.problem(error))
    }
    var routes: [UUID: PlannedRoute] = [:]
    var damages: [Damage] = []
    var fileNames: [UUID: [String]] = [:]
    for name in names.sorted() where name.hasSuffix(Self.ending) && !name.hasPrefix(".") {
      do {
        let route = try PlannedRoute(json: try contents(name))
        fileNames[route.id, default: []].append(name)
        // A copy under another name: the route's own file counts.
        if routes[route.id] == nil || name == Self.fileName(route.id) { routes[route.id] = route }
      } catch {
        damages.append(Damage(fileName: name, reason: Self.problem(error)))
      }
    }
    let sorted = routes.values.sorted(by: Self.isBefore)
    let state = State(routes: sorted, damaged: damages, fileNames: fileNames)
    self.state.withLock { $0 = state }
    signal.tell(.loaded)
    return damages
  }

  /// Writes a route, replacing an earlier one with the same id. Creates the folder if necessary.
  ///
  /// Throws ``Failure/folder(path:reason:)`` or ``Failure/file(path:reason:)``.
  public func save(_ route: PlannedRoute) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: nil)
    } catch { throw .folder(path: folder, reason: Self.problem(error)) }
    let path = self.path(Self.fileName(route.id))
    do { try route.json().write(to: URL(filePath: path), options: .atomic) } catch {
      throw .file(path: path, reason: Self.problem(error))
    }
    state.withLock { state in
      state.routes.removeAll { $0.id == route.id }
      let index =
        state.routes.firstIndex { Self.isBefore(route, $0) } ?? state.routes.endIndex
      state.routes.insert(route, at: index)
    }
    signal.tell(.saved(route.id))
  }

  /// Deletes a route and any copies of it under other names found by ``loadAll()``. Throws
  /// ``Failure/notFound(_:)`` or ``Failure/file(path:reason:)``.
  public func delete(id: UUID) throws(Failure) {
    let ownName = Self.fileName(id)
    let known = state.withLock { $0.fileNames[id] ?? [] }
    let copies = known.filter { name in
      // The file may have been replaced meanwhile.
      name != ownName && (try? PlannedRoute(json: contents(name)))?.id == id
    }
    let names = (FileManager.default.fileExists(atPath: path(ownName)) ? [ownName] : []) + copies
    guard !names.isEmpty else { throw .notFound(id) }
    for name in names {
      do { try FileManager.default.removeItem(atPath: path(name)) } catch {
        throw .file(path: path(name), reason: Self.problem(error))
      }
    }
    state.withLock { state in
      state.routes.removeAll { $0.id == id }
      state.fileNames[id] = nil
    }
    signal.tell(.deleted(id))
  }

  private enum Unreadable: Error, CustomStringConvertible {
    case tooLarge, notAFile

    var description: String {
      switch self {
      case .tooLarge: "has more than \(PlannedRouteStore.maximumFileBytes) bytes"
      case .notAFile: "is not a regular file"
      }
    }
  }

  private func contents(_ name: String) throws -> Data {
    let file = URL(filePath: path(name)).resolvingSymlinksInPath()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    // Reading a pipe would wait for a writer.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw Unreadable.notAFile
    }
    guard (attributes[.size] as? Int ?? 0) <= Self.maximumFileBytes else {
      throw Unreadable.tooLarge
    }
    return try Data(contentsOf: file)
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  private static func fileName(_ id: UUID) -> String { id.uuidString + ending }

  /// Newest first, then by id.
  private static func isBefore(_ route: PlannedRoute, _ other: PlannedRoute) -> Bool {
    route.createdAt == other.createdAt
      ? route.id.uuidString < other.id.uuidString : route.createdAt > other.createdAt
  }

  /// The reason why a file is not a planned route or a folder cannot be used.
  package static func problem(_ error: any Error) -> String {
    switch error {
    case let error as DecodingError: return CairnFormatting.problem(of: error)
    case let error as CocoaError:
      return error.userInfo["NSUnderlyingError"].map { "\($0)" } ?? "\(error)"
    default: return "\(error)"
    }
  }
}

extension PlannedRouteStore.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .folder: "The folder of planned routes cannot be used."
    case .file: "The planned route cannot be saved or deleted."
    case .notFound: "The planned route no longer exists."
    }
  }

  /// The path and why it failed, or the id that does not exist.
  public var failureReason: String? { description }
}
