// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A route that is being planned on a map: its pins, and what a tap does to them.
///
/// The first tap sets the start, the second the end, and each further one adds a via point behind the
/// others. A pin that was picked up goes where the next tap is. The route is calculated anew whenever
/// ``pins`` have changed:
///
/// ```swift
/// Map { … }.task(id: draft.pins) { route = try await draft.route(by: planner)?.route }
/// ```
public struct RoutePlannerDraft: Hashable, Sendable {
  /// A pin on the map.
  public enum Pin: Hashable, Sendable {
    /// Where the route begins.
    case start
    /// Where it ends.
    case end
    /// What it passes, by the index in the order of travel.
    case via(Int)
  }

  /// Where the pins are.
  public struct Pins: Hashable, Sendable {
    /// Where the route begins; nil before the first tap.
    public var start: Coordinate?
    /// Where it ends; nil before the second tap.
    public var end: Coordinate?
    /// What it passes, in the order of travel.
    public var via: [Coordinate] = []

    /// No pins.
    public init() {}
  }

  /// Where the pins are.
  public private(set) var pins = Pins()
  /// The pin that the next tap moves; nil where a tap sets another one.
  public private(set) var moving: Pin?
  /// How one travels.
  public var mode: RoutingMode
  /// The name of the profile; nil for the one of the mode.
  public var profile: String?
  /// What is preferred on top of the profile.
  public var preferences = RoutingPreferences()
  /// What the route is called.
  public var name: String

  /// A map without pins.
  public init(name: String = "", mode: RoutingMode = .hiking) {
    self.name = name
    self.mode = mode
  }

  /// Whether there is a start and an end, so that there can be a route.
  public var isComplete: Bool { pins.start != nil && pins.end != nil }

  /// Where a pin is; nil where there is none.
  public func coordinate(of pin: Pin) -> Coordinate? {
    switch pin {
    case .start: pins.start
    case .end: pins.end
    case .via(let index): pins.via.indices.contains(index) ? pins.via[index] : nil
    }
  }

  /// Takes a tap on the map: moves the pin that was picked up, or sets the start, the end or a further
  /// via point. Returns the pin; nil for a point that is not on Earth, which changes nothing.
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

  /// Picks up a pin, so that the next tap moves it. Returns whether there is such a pin.
  @discardableResult
  public mutating func beginMoving(_ pin: Pin) -> Bool {
    guard coordinate(of: pin) != nil else { return false }
    moving = pin
    return true
  }

  /// Leaves the pin that was picked up where it is.
  public mutating func cancelMoving() { moving = nil }

  /// Moves a pin at once, as when it is dragged. Nothing happens where there is none.
  public mutating func move(_ pin: Pin, to place: Coordinate) {
    guard beginMoving(pin) else { return }
    tap(place)
    moving = nil
  }

  /// Removes a pin. The route that is left begins or ends at its next via point, if it has one.
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

  /// What the pins ask a planner for; nil without a start or an end.
  ///
  /// - Parameter time: When the route is planned.
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
  /// The search runs off the caller's actor, and ends soon after its task was cancelled. Throws
  /// ``NavigationError/noRoute(_:suggestions:)`` with what may help,
  /// ``NavigationError/routingUnavailable(_:fallback:)``, or ``NavigationError/cancelled``.
  ///
  /// - Parameters:
  ///   - planner: What calculates, such as a ``RoutePlanner``.
  ///   - time: When the route is planned; nil for the present, by the clock.
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
