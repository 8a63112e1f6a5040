// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// A line with its corners cut once; one without corners stays as it is.
func rounded(_ line: [PlanePoint]) -> [PlanePoint] {
  line.count > 2 ? cuttingCorners(line) { $0.towards($1, $2) } : line
}

/// Points along a line as a mapper would draw them, 24 to 42 m apart and up to 1.5 m off; both ends
/// are kept.
func surveyed(_ line: [PlanePoint], _ random: inout SplitMix64) -> [PlanePoint] {
  guard let first = line.first, let last = line.last else { return line }
  var result = [first]
  var step = random.number(in: 24...42)
  var walked = 0.0
  for (start, end) in zip(line, line.dropFirst()) {
    let length = start.distance(to: end)
    var done = 0.0
    while walked + length - done >= step {
      done += step - walked
      walked = 0
      let jitter = PlanePoint(random.signedUnit(), random.signedUnit()) * 1.5
      result.append(start.towards(end, done / length) + jitter)
      step = random.number(in: 24...42)
    }
    walked += length - done
  }
  if result.count > 1, let tail = result.last, tail.distance(to: last) < 15 { result.removeLast() }
  return result + [last]
}

/// A smooth line through all points (Catmull-Rom), each span divided into pieces of about
/// `spacingMetres`.
func curved(_ points: [PlanePoint], spacingMetres: Double) -> [PlanePoint] {
  guard points.count > 2 else { return points }
  var result: [PlanePoint] = []
  for index in 0..<points.count - 1 {
    let start = points[index]
    let end = points[index + 1]
    let before = index > 0 ? points[index - 1] : start + start - end
    let after = index + 2 < points.count ? points[index + 2] : end + end - start
    let pieces = max(1, Int((start.distance(to: end) / spacingMetres).rounded()))
    for piece in 0..<pieces {
      let t = Double(piece) / Double(pieces)
      let cubic = (start - end) * 3 + after - before
      let square = before * 2 - start * 5 + end * 4 - after
      let bend = ((cubic * t + square) * t + end - before) * (t / 2)
      result.append(start + bend)
    }
  }
  return result + points.suffix(1)
}

/// A meandering line with bends of up to `swayMetres` about every 110 m; both ends are kept.
func meandering(_ line: [PlanePoint], swayMetres: Double, _ random: inout SplitMix64)
  -> [PlanePoint]
{
  var bends = curved(line, spacingMetres: 110)
  for index in bends.indices.dropFirst().dropLast() {
    bends[index] =
      bends[index] + PlanePoint(random.signedUnit(), random.signedUnit()) * swayMetres
  }
  return curved(bends, spacingMetres: 40)
}
