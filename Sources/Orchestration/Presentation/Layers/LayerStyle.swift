// SPDX-License-Identifier: Apache-2.0

/// How QGIS draws a layer by default: QML, the format of its style files.
struct LayerStyle {
  let name: String
  let summary: String
  let qml: String

  private typealias Class = (value: String, label: String, colour: String, width: Double)

  /// The colours of the built-in pages, which are also distinct for the colour-blind.
  private static let grades: [Class] = [
    ("1", "T1", "213,174,0,255", 0.4), ("2", "T2", "214,96,31,255", 0.5),
    ("3", "T3", "196,48,48,255", 0.6), ("4", "T4", "45,98,180,255", 0.6),
    ("5", "T5", "60,60,150,255", 0.7), ("6", "T6", "70,20,100,255", 0.8),
    ("", "no grade", "140,140,140,255", 0.26),
  ]
  private static let networks: [Class] = [
    ("iwn", "international", "180,30,90,255", 1.2), ("nwn", "national", "200,60,30,255", 1),
    ("rwn", "regional", "220,140,0,255", 0.8), ("lwn", "local", "40,130,80,255", 0.7),
    ("", "other", "60,110,180,255", 0.6),
  ]
  private static let categories: [Class] = [
    ("shelter", "shelter", "150,75,30,255", 2.4), ("water", "water", "30,110,200,255", 2),
    ("viewpoint", "viewpoint", "120,60,160,255", 2), ("danger", "danger", "200,30,30,255", 2.4),
    ("", "other", "90,90,90,255", 1.6),
  ]

  /// Nil for a layer without a style.
  init?(_ layer: FeatureLayer) {
    let (column, classes): (String, [Class])
    switch layer.name {
    case "edges": (column, classes, name) = ("grade", Self.grades, "Grades")
    case "routes": (column, classes, name) = ("network", Self.networks, "Networks")
    case "pois": (column, classes, name) = ("category", Self.categories, "Categories")
    default: return nil
    }
    summary = "Colours by \(column)"
    let isPoint = layer.shape == .point
    let categories = classes.enumerated().map { index, item in
      #"""
            <category type="string" symbol="\#(index)" value="\#(item.value)" label="\#(item.label)" render="true"/>
      """#
    }
    let symbols = classes.enumerated().map { index, item in
      isPoint ? Self.marker(index, item) : Self.line(index, item)
    }
    qml = #"""
      <!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
      <qgis version="3.22.0" styleCategories="Symbology">
        <renderer-v2 type="categorizedSymbol" attr="\#(column)" forceraster="0" symbollevels="0" enableorderby="0">
          <categories>
      \#(categories.joined(separator: "\n"))
          </categories>
          <symbols>
      \#(symbols.joined(separator: "\n"))
          </symbols>
        </renderer-v2>
      </qgis>
      """#
  }

  private static func line(_ index: Int, _ item: Class) -> String {
    #"""
          <symbol type="line" name="\#(index)" alpha="1" clip_to_extent="1" force_rhr="0">
            <layer class="SimpleLine" enabled="1" pass="0" locked="0">
              <Option type="Map">
                <Option type="QString" name="line_color" value="\#(item.colour)"/>
                <Option type="QString" name="line_width" value="\#(item.width)"/>
                <Option type="QString" name="line_width_unit" value="MM"/>
                <Option type="QString" name="capstyle" value="round"/>
                <Option type="QString" name="joinstyle" value="round"/>
              </Option>
            </layer>
          </symbol>
    """#
  }

  private static func marker(_ index: Int, _ item: Class) -> String {
    #"""
          <symbol type="marker" name="\#(index)" alpha="1" clip_to_extent="1" force_rhr="0">
            <layer class="SimpleMarker" enabled="1" pass="0" locked="0">
              <Option type="Map">
                <Option type="QString" name="name" value="circle"/>
                <Option type="QString" name="color" value="\#(item.colour)"/>
                <Option type="QString" name="outline_color" value="255,255,255,255"/>
                <Option type="QString" name="size" value="\#(item.width)"/>
                <Option type="QString" name="size_unit" value="MM"/>
              </Option>
            </layer>
          </symbol>
    """#
  }
}
