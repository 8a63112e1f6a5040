// SPDX-License-Identifier: Apache-2.0

/// Finds rests.
///
/// A rest is a minute or more within a box whose diagonal is 15 m, so at less than 0.9 km/h,
/// however long it lasts and however the receiver drifts meanwhile. A gap in the recording of more
/// than a minute is a rest if crossing it would have been slower than 1 km/h, since recorders stop
/// writing at a standstill. Otherwise it is movement without details.
struct RestFinder {
  /// The shortest rest in seconds.
  static let shortestSeconds = 60.0
  /// The diagonal in metres of the box that a rest does not leave.
  static let widestMetres = 15.0
  /// The speed in metres per second below which a gap is a rest.
  static let slowestSpeed = 1 / 3.6
  /// Steps at either end of a rest that are farther than this from the next ones belong to the
  /// arrival or the departure, in metres.
  private static let arrivalMetres = 6.0

  private let steps: [TrackSteps.Step]
  private let widest: Double

  /// Looks for rests in boxes with a diagonal in metres, which noise may widen.
  init(_ steps: TrackSteps, widestMetres: Double = widestMetres) {
    self.steps = steps.steps
    widest = widestMetres
  }

  /// The rests as indices of the first and the last point of each, ascending and apart.
  func rests() -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    func add(_ range: ClosedRange<Int>) {
      guard let last = ranges.last, range.lowerBound <= last.upperBound else {
        ranges.append(range)
        return
      }
      ranges[ranges.count - 1] =
        min(last.lowerBound, range.lowerBound)...max(last.upperBound, range.upperBound)
    }
    var box = SlidingBox()
    for (index, step) in steps.enumerated() {
      if index > 0, isRestingGap(steps[index - 1], step) { add(index - 1...index) }
      box.append(index, step.x, step.y)
      while box.squaredDiagonal > widest * widest { box.removeFirst() }
      if step.end - steps[box.first].start >= Self.shortestSeconds { add(box.first...index) }
    }
    return ranges.compactMap(trimmed).map { steps[$0.lowerBound].first...steps[$0.upperBound].last }
  }

  private func isRestingGap(_ before: TrackSteps.Step, _ after: TrackSteps.Step) -> Bool {
    let gap = after.start - before.end
    return gap > Self.shortestSeconds && before.metres(to: after) / gap < Self.slowestSpeed
  }

  /// A rest without the last steps towards it and the first ones away from it; nil if little is left.
  private func trimmed(_ range: ClosedRange<Int>) -> ClosedRange<Int>? {
    let most = 3
    var (first, last) = (range.lowerBound, range.upperBound)
    while first - range.lowerBound < most, first < last,
      isApart(first, from: first + 1...min(first + 6, last))
    { first += 1 }
    while range.upperBound - last < most, first < last,
      isApart(last, from: max(last - 6, first)...last - 1)
    { last -= 1 }
    return steps[last].end - steps[first].start >= Self.shortestSeconds / 2 ? first...last : nil
  }

  private func isApart(_ index: Int, from others: ClosedRange<Int>) -> Bool {
    // Before a gap, a rest may be a single step.
    guard others.count > 2 else { return false }
    var (xs, ys) = (others.map { steps[$0].x }, others.map { steps[$0].y })
    let (dx, dy) = (
      TrackSteps.median(&xs) - steps[index].x, TrackSteps.median(&ys) - steps[index].y
    )
    return dx * dx + dy * dy > Self.arrivalMetres * Self.arrivalMetres
  }
}

/// The bounding box of a sliding window of points.
private struct SlidingBox {
  /// The smallest of the numbers that are left, in constant time on average.
  private struct SlidingMinimum {
    private var queue: [(index: Int, value: Double)] = []
    private var head = 0

    var value: Double { head < queue.count ? queue[head].value : 0 }

    mutating func append(_ index: Int, _ value: Double) {
      while queue.count > head, let last = queue.last, last.value >= value { queue.removeLast() }
      queue.append((index, value))
    }

    mutating func remove(before first: Int) {
      while head < queue.count, queue[head].index < first { head += 1 }
      if head > 1024, head > queue.count / 2 {
        queue.removeFirst(head)
        head = 0
      }
    }
  }

  private(set) var first = 0
  private var west = SlidingMinimum()
  private var east = SlidingMinimum()
  private var south = SlidingMinimum()
  private var north = SlidingMinimum()

  var squaredDiagonal: Double {
    let (width, height) = (-east.value - west.value, -north.value - south.value)
    return width * width + height * height
  }

  mutating func append(_ index: Int, _ x: Double, _ y: Double) {
    west.append(index, x)
    east.append(index, -x)
    south.append(index, y)
    north.append(index, -y)
  }

  mutating func removeFirst() {
    first += 1
    west.remove(before: first)
    east.remove(before: first)
    south.remove(before: first)
    north.remove(before: first)
  }
}
