// SPDX-License-Identifier: Apache-2.0
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import Testing

@testable import CairnGuidance

@Suite("Instructions in six languages")
struct InstructionLanguageTests {
  private static let others = Language.allCases.filter { $0 != .english }

  private func label(
    _ name: String?, _ highway: String? = "residential", isFerry: Bool = false,
    _ feature: WayFeature.Kind? = nil, _ slope: WayFeature.Slope? = nil
  ) -> WayLabel {
    var label = WayLabel(name: name, highway: highway, isFerry: isFerry)
    label.feature = feature.map { WayFeature($0, slope) }
    return label
  }

  private func texts(_ phrase: InstructionPhrase) -> [String] {
    Language.allCases.map { phrase.text(in: $0) }
  }

  @Test("a turn onto a street")
  func turn() {
    #expect(
      texts(.turn(.left, from: label("Kirchgasse"), to: label("Dorfstraße"))) == [
        "Turn left onto Dorfstraße", "Links abbiegen auf Dorfstraße",
        "Tournez à gauche sur Dorfstraße", "Svolta a sinistra su Dorfstraße",
        "Gira a la izquierda por Dorfstraße", "Gira a l’esquerra per Dorfstraße",
      ])
    #expect(
      texts(.turn(.slightRight, from: label("Dorfstraße"), to: label("Dorfstraße"))) == [
        "Keep right to stay on Dorfstraße", "Rechts halten und auf Dorfstraße bleiben",
        "Obliquez à droite pour rester sur Dorfstraße", "Tieni la destra per restare su Dorfstraße",
        "Mantente a la derecha para continuar por Dorfstraße",
        "Mantén-te a la dreta per continuar per Dorfstraße",
      ])
  }

  @Test("who keeps left goes on there, and does not keep to that side of the way")
  func keeping() {
    #expect(
      texts(.turn(.slightLeft, from: label("A"), to: label(nil, "path"))) == [
        "Keep left onto the path", "Links halten, weiter auf den Pfad",
        "Obliquez à gauche sur le sentier", "Tieni la sinistra e prosegui sul sentiero",
        "Mantente a la izquierda y sigue por el sendero",
        "Mantén-te a l’esquerra i continua pel sender",
      ])
  }

  @Test("ways without a name have the article of their gender")
  func kinds() {
    #expect(
      texts(.turn(.right, from: label("A"), to: label(nil, "path"))) == [
        "Turn right onto the path", "Rechts abbiegen auf den Pfad",
        "Tournez à droite sur le sentier", "Svolta a destra sul sentiero",
        "Gira a la derecha por el sendero", "Gira a la dreta pel sender",
      ])
    #expect(
      texts(.turn(.right, from: label("A"), to: label(nil, "elevator"))).dropFirst() == [
        "Rechts abbiegen in den Aufzug", "Tournez à droite dans l’ascenseur",
        "Svolta a destra nell’ascensore", "Gira a la derecha por el ascensor",
        "Gira a la dreta per l’ascensor",
      ])
    #expect(
      texts(.start(bearing: 90, label(nil, "track"))) == [
        "Head east on the track", "Auf dem Fahrweg Richtung Osten starten",
        "Partez vers l’est sur la piste", "Parti verso est sulla strada sterrata",
        "Sal hacia el este por la pista", "Surt cap a l’est per la pista",
      ])
  }

  @Test("a roundabout has an ordinal")
  func roundabout() {
    #expect(
      texts(.roundabout(.left, exit: 3, from: label("A"), to: label("Via Roma"))) == [
        "At the roundabout, turn left onto Via Roma (3rd exit)",
        "Am Kreisverkehr links abbiegen auf Via Roma (3. Ausfahrt)",
        "Au rond-point, tournez à gauche sur Via Roma (3e sortie)",
        "Alla rotonda, svolta a sinistra su Via Roma (3ª uscita)",
        "En la rotonda, gira a la izquierda por Via Roma (3.ª salida)",
        "A la rotonda, gira a l’esquerra per Via Roma (3a sortida)",
      ])
  }

  @Test("steps, ladders and fords")
  func features() {
    let steps = label(nil, "steps", .steps, .up)
    #expect(
      texts(.turn(.left, from: label("A"), to: steps)) == [
        "Turn left up the steps", "Links abbiegen, die Treppe hinauf",
        "Tournez à gauche et montez les marches", "Svolta a sinistra e sali i gradini",
        "Gira a la izquierda y sube las escaleras", "Gira a l’esquerra i puja les escales",
      ])
    #expect(
      texts(.ahead(label(nil, "ladder", .ladder, .down))) == [
        "Climb down the ladder", "Die Leiter hinuntersteigen", "Descendez par l’échelle",
        "Scendi la scala a pioli", "Baja por la escalera de mano", "Baixa per l’escala de mà",
      ])
    #expect(
      texts(.turn(.right, from: label(nil, "path"), to: label(nil, "path", .ford))) == [
        "Turn right and cross the ford", "Rechts abbiegen und die Furt queren",
        "Tournez à droite et traversez le gué", "Svolta a destra e attraversa il guado",
        "Gira a la derecha y cruza el vado", "Gira a la dreta i travessa el gual",
      ])
  }

  @Test("all texts of warnings are in all languages", arguments: others)
  func warnings(_ language: Language) {
    let rules = HazardRule.all.map(\.text)
    let access = [
      "ferry, at its hours only", "open at its hours only", "ferry", "open at times only",
      "road for fast traffic, perhaps closed", "perhaps not open to all", "private", "closed",
      "closed to traffic, open by a waymarked route", "steep ascent", "steep descent",
    ]
    for text in rules + access {
      #expect(language.table.terms[text] != nil, "\(language): \(text)")
    }
    let mixed = "map data of different dates: Nord (2026-01-01) and Süd (2026-02-01)"
    #expect(language.warning(mixed).hasSuffix(": Nord (2026-01-01) and Süd (2026-02-01)"))
    #expect(language.warning(mixed) != mixed)
    #expect(language.warning("of a later version") == "of a later version")
  }

  @Test("a merged instruction is one sentence, and nouns of German keep their capitals")
  func joined() {
    let warning = RouteWarning(
      kind: .ford, severity: .caution, fromMetres: 0, toMetres: 0, osm: nil, tag: nil, text: "ford")
    let phrases: [InstructionPhrase] = [
      .turn(.left, from: label("A"), to: label("B")), .warning(warning),
    ]
    var instruction = instruction(phrases[0].text(in: .english), phrase: phrases[0])
    instruction.then = [
      FollowingTurn(
        coordinate: instruction.coordinate, direction: .straight, bearing: 0, cumulativeDistance: 1,
        description: phrases[1].text(in: .english), phrase: phrases[1])
    ]
    #expect(instruction.text(in: .german) == "Links abbiegen auf B, dann Vorsicht: Furt")
    #expect(instruction.text(in: .italian) == "Svolta a sinistra su B, poi attenzione: guado")
    #expect(instruction.then[0].text(in: .german) == "Vorsicht: Furt")
  }

  private func instruction(
    _ description: String, _ direction: TurnDirection = .left, name: String? = nil,
    phrase: InstructionPhrase? = nil
  ) -> TurnInstruction {
    TurnInstruction(
      coordinate: .init(latitude: 42.5, longitude: 1.5), direction: direction, bearing: 44,
      distanceFromPrevious: 0, cumulativeDistance: 0, trailName: name, description: description,
      phrase: phrase)
  }

  @Test("what was stored without a phrase is told where direction and name say all of it")
  func stored() {
    func german(_ text: String, _ direction: TurnDirection = .left, _ name: String? = nil) -> String
    {
      instruction(text, direction, name: name).text(in: .german)
    }
    #expect(german("Turn left onto A", .left, "A") == "Links abbiegen auf A")
    #expect(german("Turn left to stay on A", .left, "A") == "Links abbiegen und auf A bleiben")
    #expect(german("Continue onto A", .straight, "A") == "Weiter auf A")
    #expect(german("Turn left up the steps") == "Links abbiegen, die Treppe hinauf")
    #expect(german("Head northeast on A", .start, "A") == "Auf A Richtung Nordosten starten")
    #expect(german("Arrive at the destination", .arrive) == "Ankunft am Ziel")
    // What is unknown is not left out.
    #expect(german("Caution, falling rocks", .straight) == "Caution, falling rocks")
    #expect(german("Turn left at the blue hut", .left) == "Turn left at the blue hut")
    var joined = instruction("Turn left onto A, then turn right", .left, name: "A")
    joined.then = [
      FollowingTurn(
        coordinate: joined.coordinate, direction: .right, bearing: 0, cumulativeDistance: 1,
        description: "Turn right")
    ]
    #expect(joined.text(in: .french) == "Tournez à gauche sur A, puis tournez à droite")
  }

  @Test("a phrase is stored beside its text; one of a later version is kept")
  func json() throws {
    let phrase = InstructionPhrase.roundabout(.left, exit: 2, from: label("A"), to: label("B"))
    let end = InstructionPhrase.arrival(away: 12.4)
    let place = PlannedRoute.LinePoint(coordinate: .init(latitude: 42.5, longitude: 1.5))
    var route = try #require(PlannedRoute(line: [place], name: "Line", mode: .hiking))
    route.turnInstructions = [instruction("x", phrase: phrase), instruction("y", phrase: end)]
    let text = String(decoding: try route.json(), as: UTF8.self)
    #expect(try PlannedRoute(json: route.json()) == route)
    #expect(text.contains("\"key\" : \"roundabout\""))
    let later = text.replacing("\"roundabout\"", with: "\"teleport\"")
    let read = try PlannedRoute(json: .init(later.utf8))
    #expect(read.turnInstructions[0].phrase == nil)
    #expect(read.turnInstructions[0].text(in: .german) == "x")
    #expect(String(decoding: try read.json(), as: UTF8.self) == later)
    let absurd = text.replacing("\"away\" : 12", with: "\"away\" : 1e300")
    #expect(absurd != text)
    #expect(throws: DecodingError.self) { try PlannedRoute(json: .init(absurd.utf8)) }
  }
}
