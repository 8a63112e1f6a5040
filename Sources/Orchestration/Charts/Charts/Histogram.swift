// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// The distribution of differences around 0: a bar for each class, with no difference in the
/// middle.
///
/// Classes have a round width; the outermost ones include everything beyond them.
package struct Histogram: Equatable, Sendable {
  /// The number of classes on each side of the middle.
  private static let classesOfASide = 5
  private static let (width, height) = (380.0, 190.0)
  private static let (top, bottom) = (22.0, 150.0)

  /// The width of a class.
  package let step: Int
  /// The number of values in each class, lowest first.
  package let counts: [Int]

  /// Sorts values into classes, leaving out those that are not finite.
  package init(_ values: [Double]) {
    let finite = values.filter(\.isFinite)
    let sizes = finite.map(abs).sorted()
    // The largest 5 % do not decide how wide the classes are.
    let size = sizes.isEmpty ? 0 : sizes[min(sizes.count - 1, sizes.count * 95 / 100)]
    step = AxisTicks(length: min(size, 1e9), atMost: Self.classesOfASide).step
    var counts = [Int](repeating: 0, count: 2 * Self.classesOfASide + 1)
    let limit = Double(Self.classesOfASide)
    for value in finite {
      let index = min(max((value / Double(step)).rounded(), -limit), limit)
      counts[Int(index) + Self.classesOfASide] += 1
    }
    self.counts = counts
  }

  /// Adds the drawing.
  ///
  /// - Parameters:
  ///   - unit: The unit of the values, such as `min`.
  ///   - label: A description for screen readers.
  package func add(to page: inout SVGText, unit: String, label: String) {
    let slot = Self.width / Double(counts.count)
    let most = Double(max(1, counts.max() ?? 1))
    // More than three characters fill a slot: then every second class has its name.
    let spacing = name(ofClass: counts.count - 1).count > 3 ? 2 : 1
    page.group(
      "svg",
      [
        "class": "chart histogram", "role": "img", "aria-label": label,
        "viewBox": "0 0 \(pixels(Self.width)) \(pixels(Self.height))",
      ]
    ) { page in
      for (index, count) in counts.enumerated() {
        let left = Double(index) * slot
        let height = Double(count) / most * (Self.bottom - Self.top)
        let isMiddle = index == Self.classesOfASide
        page.add(
          "rect",
          [
            "class": isMiddle ? "bar same" : "bar", "x": pixels(left + 3),
            "y": pixels(Self.bottom - height), "width": pixels(slot - 6),
            "height": pixels(height), "rx": "2",
          ])
        let centre = pixels(left + slot / 2)
        if count > 0 {
          page.add(
            "text",
            [
              "class": "value", "x": centre, "y": pixels(Self.bottom - height - 5),
              "text-anchor": "middle",
            ], text: grouped(count))
        }
        guard (index - Self.classesOfASide).isMultiple(of: spacing) else { continue }
        page.add(
          "text", ["x": centre, "y": pixels(Self.bottom + 17), "text-anchor": "middle"],
          text: name(ofClass: index))
      }
      page.add(
        "path", ["class": "axis", "d": "M0 \(pixels(Self.bottom))H\(pixels(Self.width))"])
      page.add(
        "text",
        ["x": pixels(Self.width / 2), "y": pixels(Self.bottom + 36), "text-anchor": "middle"],
        text: "\(unit), candidate minus base")
    }
  }

  private func name(ofClass index: Int) -> String {
    let value = (index - Self.classesOfASide) * step
    let text = value > 0 ? "+\(grouped(value))" : value < 0 ? minusSign("\(grouped(value))") : "0"
    return text
  }
}
