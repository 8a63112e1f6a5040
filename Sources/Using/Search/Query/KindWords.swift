// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPlaceDatabase

/// A kind of place, or a more specific type, to search for without a name.
struct WantedKind: Hashable {
  var kind: PlaceKind
  var detail: PlaceDetail?

  init(_ kind: PlaceKind, _ detail: PlaceDetail? = nil) {
    self.kind = kind
    self.detail = detail
  }

  /// Whether a place is of the wanted kind.
  func accepts(_ kind: PlaceKind, _ detail: PlaceDetail?) -> Bool {
    kind == self.kind && (self.detail == nil || detail == self.detail)
  }
}

/// The folded words for kinds of places in English, German, French, Italian, Spanish and Catalan.
enum KindWords {
  /// Each list has singular and plural forms; docs/search.md has the same table.
  static let table: [(kind: WantedKind, words: [String])] = [
    (
      WantedKind(.water),
      [
        "water", "fountain", "fountains", "wasser", "brunnen", "wasserstelle", "eau", "point d eau",
        "points d eau", "fontaine", "fontaines", "acqua", "fontana", "fontane", "agua", "fuente",
        "fuentes", "aigua", "font", "fonts",
      ]
    ),
    (
      WantedKind(.water, .drinkingWater),
      [
        "drinking water", "water tap", "trinkwasser", "eau potable", "acqua potabile",
        "agua potable", "aigua potable",
      ]
    ),
    (
      WantedKind(.water, .spring),
      [
        "spring", "springs", "quelle", "quellen", "source", "sources", "sorgente", "sorgenti",
        "manantial", "manantiales", "deu",
      ]
    ),
    (
      WantedKind(.hut),
      [
        "hut", "huts", "mountain hut", "hutte", "hutten", "huette", "huetten", "berghutte",
        "berghuette", "refuge", "refuges", "cabane", "rifugio", "rifugi", "refugio", "refugios",
        "refugi", "refugis",
      ]
    ),
    (
      WantedKind(.shelter),
      [
        "shelter", "shelters", "unterstand", "schutzhutte", "schutzhuette", "abri", "abris",
        "riparo", "bivacco", "cobijo", "aixopluc",
      ]
    ),
    (
      WantedKind(.toilets),
      [
        "toilet", "toilets", "restroom", "wc", "toilette", "toiletten", "klo", "toilettes",
        "gabinetto", "gabinetti", "bagno", "aseo", "aseos", "servicios", "bano", "lavabo",
        "lavabos",
      ]
    ),
    (
      WantedKind(.transport, .busStop),
      [
        "bus", "bus stop", "bus stops", "bushaltestelle", "arret de bus", "arret d autobus",
        "fermata dell autobus", "fermata autobus", "parada de autobus", "parada de bus",
        "parada d autobus",
      ]
    ),
    (
      WantedKind(.transport),
      [
        "stop", "public transport", "haltestelle", "haltestellen", "arret", "arrets", "fermata",
        "fermate", "parada", "paradas", "parades",
      ]
    ),
    (
      WantedKind(.transport, .railwayStation),
      [
        "station", "train station", "railway station", "bahnhof", "gare", "stazione", "estacion",
        "estacio",
      ]
    ),
    (
      WantedKind(.transport, .cableCar),
      [
        "cable car", "gondola", "seilbahn", "telepherique", "telecabine", "funivia", "cabinovia",
        "teleferico", "telecabina", "teleferic",
      ]
    ),
    (
      WantedKind(.parking),
      [
        "parking", "car park", "parkplatz", "parkplatze", "parkplaetze", "stationnement",
        "parcheggio", "parcheggi", "aparcamiento", "aparcament", "aparcaments", "parquing",
      ]
    ),
    (
      WantedKind(.campsite),
      [
        "campsite", "campsites", "camping", "campground", "zeltplatz", "campingplatz",
        "campeggio", "campamento", "campings",
      ]
    ),
    (
      WantedKind(.lodging),
      [
        "hotel", "hotels", "hostel", "hostels", "lodging", "accommodation", "guest house",
        "unterkunft", "gasthof", "pension", "herberge", "jugendherberge", "hebergement",
        "auberge", "gite", "albergo", "alberghi", "ostello", "pensione", "alojamiento", "hostal",
        "albergue", "allotjament", "alberg", "pensio",
      ]
    ),
    (
      WantedKind(.food, .foodShop),
      [
        "supermarket", "supermarkets", "shop", "grocery", "bakery", "supermarkt", "lebensmittel",
        "backerei", "baeckerei", "laden", "supermarche", "epicerie", "boulangerie",
        "supermercato", "alimentari", "panetteria", "negozio", "supermercado", "panaderia",
        "tienda", "supermercat", "fleca", "botiga",
      ]
    ),
    (
      WantedKind(.food, .restaurant),
      [
        "restaurant", "restaurants", "gasthaus", "ristorante", "ristoranti", "trattoria",
        "restaurante", "restaurantes",
      ]
    ),
    (
      WantedKind(.food, .cafe),
      ["cafe", "cafes", "coffee", "bar", "bars", "pub", "caffe", "kaffee"]
    ),
    (
      WantedKind(.food),
      ["food", "essen", "nourriture", "manger", "cibo", "mangiare", "comida", "comer", "menjar"]
    ),
    (
      WantedKind(.health, .pharmacy),
      [
        "pharmacy", "pharmacies", "chemist", "apotheke", "apotheken", "pharmacie", "farmacia",
        "farmacie", "farmacias", "farmacies",
      ]
    ),
    (
      WantedKind(.health, .doctor),
      ["doctor", "doctors", "arzt", "arztin", "medecin", "medico", "metge"]
    ),
    (
      WantedKind(.health, .hospital),
      ["hospital", "hospitals", "krankenhaus", "spital", "hopital", "ospedale"]
    ),
    (
      WantedKind(.rescue, .defibrillator),
      ["defibrillator", "defibrillateur", "defibrillatore", "desfibrilador", "desfibril lador"]
    ),
    (
      WantedKind(.rescue, .telephone),
      ["emergency phone", "telephone", "notruf", "telefon", "telefono"]
    ),
    (
      WantedKind(.rescue, .mountainRescue),
      [
        "mountain rescue", "bergwacht", "bergrettung", "secours en montagne", "soccorso alpino",
        "rescate de montana", "rescat de muntanya",
      ]
    ),
    (
      WantedKind(.viewpoint),
      [
        "viewpoint", "viewpoints", "aussichtspunkt", "aussicht", "point de vue", "belvedere",
        "punto panoramico", "mirador", "miradores", "miradors",
      ]
    ),
    (
      WantedKind(.picnicSite),
      [
        "picnic", "picnic site", "picknickplatz", "rastplatz", "aire de pique nique", "pique nique",
        "area picnic", "merendero", "area de picnic", "berenador",
      ]
    ),
    (WantedKind(.cave), ["cave", "caves", "hohle", "hoehle", "grotte", "grotta", "cueva", "cova"]),
    (
      WantedKind(.lake),
      [
        "lake", "lakes", "see", "seen", "lac", "lacs", "etang", "lago", "laghi", "lagos", "estany",
        "estanys", "llac", "llacs", "laguna",
      ]
    ),
    (
      WantedKind(.river),
      [
        "river", "rivers", "stream", "fluss", "bach", "riviere", "ruisseau", "fiume", "torrente",
        "rio", "arroyo", "riu", "torrent",
      ]
    ),
    (
      WantedKind(.waterfall),
      [
        "waterfall", "waterfalls", "wasserfall", "wasserfalle", "cascade", "cascades", "cascata",
        "cascate", "cascada", "cascadas", "saltant",
      ]
    ),
    (WantedKind(.glacier), ["glacier", "gletscher", "ghiacciaio", "glaciar", "glacera"]),
    (
      WantedKind(.peak),
      [
        "peak", "peaks", "summit", "mountain", "gipfel", "berg", "sommet", "pic", "cime", "cima",
        "vetta", "pico", "cumbre", "cim",
      ]
    ),
    (
      WantedKind(.saddle),
      [
        "pass", "saddle", "joch", "sattel", "col", "passo", "sella", "puerto", "collado", "port",
        "coll", "collada", "collet", "portella",
      ]
    ),
    (WantedKind(.valley), ["valley", "tal", "vallee", "valle", "vall"]),
    (WantedKind(.ridge), ["ridge", "grat", "crete", "arete", "cresta", "serra", "sierra"]),
    (
      WantedKind(.church),
      [
        "church", "churches", "chapel", "kirche", "kapelle", "eglise", "chapelle", "chiesa",
        "cappella", "iglesia", "capilla", "ermita", "esglesia", "capella",
      ]
    ),
    (
      WantedKind(.monument),
      [
        "castle", "monument", "burg", "schloss", "denkmal", "chateau", "castello", "monumento",
        "castillo", "castell",
      ]
    ),
    (WantedKind(.museum), ["museum", "museums", "museen", "musee", "museo", "musei", "museu"]),
    (
      WantedKind(.information, .visitorCentre),
      [
        "tourist information", "tourist office", "touristinformation", "office de tourisme",
        "ufficio turistico", "oficina de turismo", "oficina de turisme",
      ]
    ),
    (
      WantedKind(.lift),
      [
        "chair lift", "ski lift", "lift", "sessellift", "skilift", "telesiege", "teleski",
        "seggiovia", "telesilla", "telesqui", "telecadira",
      ]
    ),
    (
      WantedKind(.route),
      [
        "trail", "route", "weg", "wanderweg", "sentier", "sentiero", "sendero", "sender", "ruta",
        "cami", "camino",
      ]
    ),
  ]

  /// Words between a kind and the place to search near, longest first.
  private static let nearWords = [
    "in der nahe von", "in der naehe von", "al costat de", "a prop de", "a prop d", "pres de",
    "pres d", "proche de", "cerca de", "junto a", "vicino a", "vicino al", "prop de", "near to",
    "close to", "near", "around", "bei", "beim", "nahe", "presso", "pres", "cerca", "vicino", "in",
    "en", "at", "am", "im",
  ].map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }

  private static let kinds: [String: WantedKind] = {
    // Growing would move the words several times.
    var kinds = [String: WantedKind](minimumCapacity: table.reduce(0) { $0 + $1.words.count })
    for (kind, words) in table {
      for word in words { kinds[word] = kind }
    }
    return kinds
  }()

  private static let longest = 4

  /// Articles and prepositions that may stand between a kind and a name.
  private static let links: Set<String> = [
    "a", "al", "d", "da", "das", "de", "dei", "del", "della", "dels", "der", "des", "di", "die",
    "du", "el", "l", "la", "le", "les", "los", "of", "the",
  ]

  /// The kind for a query that consists only of its words.
  static func kind(of words: [String]) -> WantedKind? { kinds[words.chained(by: " ")] }

  /// A kind and the words of the place to search near; nil for other queries.
  static func kindNear(_ words: [String]) -> (kind: WantedKind, place: [String])? {
    for count in (1...longest).reversed() where words.count > count + 1 {
      guard let kind = Self.kind(of: Array(words.prefix(count))) else { continue }
      let rest = words.dropFirst(count)
      for near in nearWords where rest.count > near.count && rest.starts(with: near) {
        return (kind, Array(rest.dropFirst(near.count)))
      }
    }
    return nil
  }

  /// A kind at the beginning or end of a query, and the other words: `lake engolasters`.
  static func kindAndName(_ words: [String]) -> [(kind: WantedKind, name: [String])] {
    var found: [(kind: WantedKind, name: [String])] = []
    for count in (1...longest).reversed() where words.count > count {
      if let kind = Self.kind(of: Array(words.prefix(count))) {
        let name = Array(words.dropFirst(count).drop { links.contains($0) })
        if !name.isEmpty { found.append((kind, name)) }
      }
      if let kind = Self.kind(of: Array(words.suffix(count))) {
        found.append((kind, Array(words.dropLast(count))))
      }
      if !found.isEmpty { break }
    }
    return found
  }
}
