// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The page before the script fills it, without data.
  static let html = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cairn</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/leaflet.css">
    <link rel="stylesheet" href="/viewer.css">
    <script src="/leaflet.js" defer></script>
    <script src="/viewer.js" defer></script>
    </head>
    <body>
    <main>
    <section id="stage" aria-label="Map and elevation profile">
    <div id="map"></div>
    <figure id="chart" hidden>
    <svg id="profile-chart" tabindex="0" role="slider" aria-label="Elevation profile: arrow keys move the cursor, with Shift they select a part"></svg>
    <figcaption id="part" aria-live="polite"></figcaption>
    </figure>
    </section>
    <section id="panel" aria-label="Route">
    <header>
    <h1 id="title">Cairn</h1>
    <form id="searching" role="search">
    <input id="query" type="search" placeholder="Search places" aria-label="Search places" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" maxlength="200">
    <ul id="found" role="listbox" aria-label="Places found" hidden></ul>
    </form>
    </header>
    <p id="message" role="status"></p>
    <section aria-label="Points">
    <ol id="points"></ol>
    <p class="row"><button id="reverse" type="button">Reverse</button><button id="clear" type="button">Clear</button></p>
    </section>
    <section aria-label="Profile">
    <p class="row"><label class="wide">Profile <select id="profile-a"></select></label>
    <label class="wide">Compare with <select id="profile-b"></select></label></p>
    <p class="row"><label>At most <select id="max-sac"><option value="">any grade</option><option>T1</option><option>T2</option><option>T3</option><option>T4</option><option>T5</option></select></label>
    <label><input id="avoid-steps" type="checkbox"> avoid steps</label>
    <label><input id="alternatives" type="checkbox"> alternatives</label>
    <label>Reach <select id="reach"><option value="">off</option><option value="30,60,90">30, 60, 90 min</option><option value="60,120,180">1, 2, 3 h</option></select></label></p>
    <details id="numbers"><summary>Change numbers of the profile</summary>
    <p class="row"><input id="number-filter" type="search" placeholder="Filter, such as climb" aria-label="Filter numbers"><button id="number-reset" type="button">Reset</button><button id="number-save" type="button">Save as file</button></p>
    <div id="number-list"></div>
    </details>
    </section>
    <section id="result" hidden>
    <h2 class="hidden">Figures</h2>
    <div id="figures"></div>
    <p class="row"><a id="gpx" download="route.gpx">GPX</a><a id="geojson" download="route.geojson">GeoJSON</a><a id="json" download="route.json">JSON</a></p>
    <section id="warning-part"><h2>Warnings</h2><ul id="warnings"></ul></section>
    <details id="why"><summary>Why this way</summary><p id="why-piece" class="soft">Point at the route or at its profile.</p><ol id="why-list"></ol></details>
    <details id="turns" open><summary>Instructions</summary><ol id="instructions"></ol></details>
    </section>
    <details id="region-part"><summary>Regions and warnings of the last run</summary><ul id="regions"></ul><div id="runs"></div></details>
    <details><summary>Keys</summary><dl class="keys"><dt>A, B</dt><dd>start, end at the centre of the map</dd><dt>V</dt><dd>via point at the centre of the map</dd><dt>/</dt><dd>search</dd><dt>R</dt><dd>reverse</dd><dt>Esc</dt><dd>clear the selected part</dd><dt>Arrows, + and −</dt><dd>move the map; in the profile, the cursor</dd><dt>Delete</dt><dd>remove the focused point</dd></dl></details>
    </section>
    </main>
    <noscript><p>This page needs JavaScript.</p></noscript>
    </body>
    </html>

    """#
}
