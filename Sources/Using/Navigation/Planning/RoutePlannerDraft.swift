// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A route being planned on a map: its pins, and the effects of taps.
///
/// The first tap sets the start, the second the end, and each further one appends a via point. If a
/// pin was picked up, the next tap moves it. Recalculate the route whenever ``pins`` change:
///
/// ```swift
/// Map { … }.task(id: draft.pins) { route = try await draft.route(by: planner)?.route }
/// ```
public struct RoutePlannerDraft: Hashable, Sendable {
  /// A pin on the map.
  public enum Pin: Hashable, Sendable {
    /// The start.
    case start
    /// The end.
    case end
    /// A via point, by its index in the order of travel.
    case via(Int)
  }

  /// The positions of the pins.
  public struct Pins: Hashable, Sendable {
    /// The start; nil before the first tap.
    public var start: Coordinate?
    /// The end; nil before the second tap.
    public var end: Coordinate?
    /// The via points, in the order of travel.
    public var via: [Coordinate] = []

    /// No pins.
    public init() {}
  }

  /// The positions of the pins.
  public private(set) var pins = Pins()
  /// The pin that the next tap moves; nil if a tap sets a new one.
  public private(set) var moving: Pin?
  /// The mode of travel.
  public var mode: RoutingMode
  /// The name of the cost profile; nil for the mode's.
  public var profile: String?
  /// Preferences applied on top of the profile.
  public var preferences = RoutingPreferences()
  /// The name of the route.
  public var name: String

  /// A map without pins.
  public init(name: String = "", mode: RoutingMode = .hiking) {
    self.name = name
    self.mode = mode
  }

  /// Whether there are a start and an end.
  public var isComplete: Bool { pins.start != nil && pins.end != nil }

  /// The position of a pin; nil if it is not set.
  public func coordinate(of pin: Pin) -> Coordinate? {
    switch pin {
    case .start: pins.start
    case .end: pins.end
    case .via(let index): pins.via.indices.contains(index) ? pins.via[index] : nil
    }
  }

  /// Takes a tap on the map: moves the pin that was picked up, or sets the start, the end or a
  /// further via point. Returns the pin; nil for an invalid coordinate, which changes nothing.
  @discardableResult
  public mutating func tap(_ place: Coordinate) -> Pin? {
    guard place.isValid else { return nil }
    let next: Pin = pins.start == nil ? .start : pins.end == nil ? .end : .via(pins.via.count)
    let pin = moving ?? next
    moving = nil
    switch pin {
    case .start: pins.start = place
    case .end: pins.end = place
    case .via(let index) where pins.via.indices.contains(index): pins.via[index] = place
    case .via: pins.via.append(place)
    }
    return pin
  }

  /// Picks up a pin for the next tap to move. Returns whether the pin exists.
  @discardableResult
  public mutating func beginMoving(_ pin: Pin) -> Bool {
    guard coordinate(of: pin) != nil else { return false }
    moving = pin
    return true
  }

  /// Puts the picked-up pin back.
  public mutating func cancelMoving() { moving = nil }

  /// Moves a pin at once, such as during a drag. Does nothing if it is not set.
  public mutating func move(_ pin: Pin, to place: Coordinate) {
    guard beginMoving(pin) else { return }
    tap(place)
    moving = nil
  }

  /// Removes a pin. If it was the start or the end, the adjacent via point, if any,
  /// takes its place.
  public mutating func remove(_ pin: Pin) {
    guard coordinate(of: pin) != nil else { return }
    moving = nil
    switch pin {
    case .start: pins.start = pins.via.isEmpty ? nil : pins.via.removeFirst()
    case .end: pins.end = pins.via.popLast()
    case .via(let index): pins.via.remove(at: index)
    }
  }

  /// Removes all pins.
  public mutating func removeAll() {
    pins = Pins()
    moving = nil
  }

  /// The request for the pins; nil without a start or an end.
  ///
  /// - Parameter time: The time of planning.
  public func request(at time: Date) -> PlanRequest? {
    guard let start = pins.start, let end = pins.end else { return nil }
    let title = name.isEmpty ? NavigationDestination(end).title : name
    var request = PlanRequest(from: start, to: end, name: title, createdAt: time)
    request.via = pins.via
    request.mode = mode
    request.profile = profile
    request.preferences = preferences
    return request
  }

  /// Calculates the route of the pins; nil without a start or an end.
  ///
  /// The search runs off the caller's actor and ends soon after its task is cancelled. Throws
  /// ``NavigationError/noRoute(_:suggestions:)`` with suggestions,
  /// ``NavigationError/routingUnavailable(_:fallback:)`` or ``NavigationError/cancelled``.
  ///
  /// - Parameters:
  ///   - planner: The planner, such as a ``RoutePlanner``.
  ///   - time: The time of planning; nil for now, by the clock.
  public func route(by planner: any RoutePlanning, at time: Date? = nil)
    async throws(NavigationError) -> RouteCalculation?
  {
    guard let request = request(at: time ?? Date()) else { return nil }
    let task = Task.detached(priority: Task.currentPriority) {
      () -> Result<RouteCalculation, NavigationError> in
      do throws(NavigationError) {
        return .success(try RouteCalculator(planner: planner).calculate(request))
      } catch { return .failure(error) }
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if Task.isCancelled { throw .cancelled }
    return try result.get()
  }
}
