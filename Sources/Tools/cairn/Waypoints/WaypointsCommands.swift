// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPhotos
import CairnWaypoints
import CommandLineKit
import FoundationEssentials
import Presentation
import Requests
import SystemIO

/// `cairn waypoints list`: all waypoints of a store.
struct WaypointsListCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn waypoints list",
    summary: "list waypoints, newest first",
    discussion: "\(waypointCategories) The database is only read, and may be part of a bundle.",
    positionals: [
      .init("STORE", help: "a database of waypoints, such as waypoints.db, or a bundle's folder")
    ],
    options: [
      .option("category", "CATEGORY", help: "list only this category"),
      .flag("json", help: "print JSON"),
    ],
    examples: ["cairn waypoints list waypoints.db --category waterSource"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let category = try arguments.waypointCategory()
    let path = arguments.positionals[0]
    let (all, origins) = try withWaypoints(path, readOnly: true) {
      store throws(WaypointStoreError) in
      (try store.fetchAll(), try store.origins())
    }
    let waypoints = all.filter { category == nil || $0.category == category }
    if waypoints.isEmpty, !arguments.has("json") {
      Console.note("cairn waypoints: no waypoints in \(path)")
      return .success
    }
    let listing = WaypointListing(waypoints, origins: origins)
    try Console.write(
      arguments.has("json") ? try listing.json() : listing.text(columns: Console.columns))
    return .success
  }
}

/// `cairn waypoints near`: the waypoints around a point.
struct WaypointsNearCommand: Command {
  private static let standardRadiusMetres = 1000.0

  static let definition = CommandDefinition(
    name: "cairn waypoints near",
    summary: "list the waypoints around a point, nearest first",
    discussion: "Exits with 1 if there are none.",
    positionals: [
      .init("STORE", help: "a database of waypoints, such as waypoints.db, or a bundle's folder")
    ],
    options: [
      .option(
        "at", "LAT,LON", required: true, help: "the point; \(RouteRequest.namedPlace)"),
      .option("radius", "METRES", help: "greatest distance from it (default 1000)"),
      .option("category", "CATEGORY", help: "list only this category"),
      .flag("json", help: "print JSON"),
    ],
    examples: ["cairn waypoints near waypoints.db --at 47.0603,10.0990 --radius 5000"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let point = try arguments.point("at", beside: [arguments.positionals[0]]).coordinate
    let radius = try arguments.number("radius", in: 0...20_100_000) ?? standardRadiusMetres
    let category = try arguments.waypointCategory()
    let (all, origins) = try withWaypoints(arguments.positionals[0], readOnly: true) {
      store throws(WaypointStoreError) in
      (
        try store.fetchNearby(
          latitude: point.latitude, longitude: point.longitude, radiusMeters: radius),
        try store.origins()
      )
    }
    let waypoints = all.filter { category == nil || $0.category == category }
    let distances = waypoints.map { haversineDistance(point, $0.coordinate) }
    let listing = WaypointListing(waypoints, origins: origins, distances: distances)
    if !waypoints.isEmpty || arguments.has("json") {
      try Console.write(
        arguments.has("json") ? try listing.json() : listing.text(columns: Console.columns))
    } else {
      Console.note("cairn waypoints: none within \(metres(radius))")
    }
    return waypoints.isEmpty ? .negative : .success
  }
}

/// `cairn waypoints add`: a new waypoint.
struct WaypointsAddCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn waypoints add",
    summary: "add a waypoint, optionally with a photo",
    discussion: """
      Prints the id of the new waypoint. \(waypointCategories) A photo is a JPEG file; it is \
      turned upright and stored without its metadata, in full size and as a thumbnail of 100 × 100 \
      pixels.
      """,
    positionals: [
      .init("STORE", help: "a database of waypoints, such as waypoints.db; created if missing")
    ],
    options: [
      .option(
        "at", "LAT,LON", required: true, help: "where it is; \(RouteRequest.namedPlace)"),
      .option("label", "TEXT", help: "a short name"),
      .option("category", "CATEGORY", help: "what it marks (default custom)"),
      .option("note", "TEXT", help: "a longer description"),
      .option("altitude", "METRES", help: "metres above sea level (default: unknown)"),
      .option(
        "time", "TIME",
        help: "when it was made, in ISO 8601 (default: SOURCE_DATE_EPOCH, or now)"),
      .option("photo", "FILE.jpg", help: "a photo"),
    ],
    examples: [
      "cairn waypoints add waypoints.db --at 47.0603,10.0990 --label Spring --category waterSource",
      "cairn waypoints add waypoints.db --at 47.0508,10.0809 --category shelter --photo hut.jpg",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let point = try arguments.point("at", beside: [arguments.positionals[0]]).coordinate
    let time = try arguments.value("time").map { text throws(CairnError) in
      guard let time = parsedTimestamp(text) else {
        throw arguments.usageError(
          "--time takes a time such as 2026-07-15T08:30:00Z, not “\(printable(text))”")
      }
      return time
    }
    let category = try arguments.waypointCategory() ?? .custom
    let altitude = try arguments.number("altitude", in: -100_000...100_000)
    let photo = try arguments.value("photo").map(Self.photo)
    let waypoint = Waypoint(
      id: UUID(), latitude: point.latitude, longitude: point.longitude, altitude: altitude,
      timestamp: try time ?? currentTime(), label: arguments.value("label") ?? "",
      category: category,
      note: arguments.value("note") ?? "", hasPhoto: photo != nil)
    try withWaypoints(arguments.positionals[0], readOnly: false) {
      store throws(WaypointStoreError) in
      try store.insert(
        waypoint, photo: photo.map { Data($0.photo) }, thumbnail: photo.map { Data($0.thumbnail) })
    }
    if let damage = photo?.damage, let path = arguments.value("photo") {
      Console.note(
        "cairn waypoints: \(path): the photo is damaged; kept the readable part: "
          + printable(damage))
    }
    try Console.write("\(waypoint.id.uuidString)\n")
    return .success
  }

  private static func photo(_ path: String) throws(CairnError) -> Photo {
    let bytes = try InputFile(path).readAll(limit: Photo.largestFileBytes)
    do throws(PhotoError) { return try Photo(picture: bytes) } catch {
      throw error.ofCommand(at: path)
    }
  }
}
