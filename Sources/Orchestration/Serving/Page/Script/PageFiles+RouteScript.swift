// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// Routes: requests, figures, warnings, instructions, and explanations.
  static let routeScript = #"""
    // The route, then that of the other profile, or its alternatives.
    let routes = [], explained = null;

    let waiting = false, again = false;
    // While a point is dragged: one request at a time, and always one for the last place.
    async function routeSoon() {
      if (waiting) { again = true; return; }
      waiting = true;
      await findRoutes(true);
      waiting = false;
      if (again) { again = false; routeSoon(); }
    }

    function changed() {
      state.part = null;
      writeAddress();
      showMarkers();
      showPoints();
      findRoutes(false);
      showReach();
    }

    const lengthOf = (a, b) => L.latLng(a).distanceTo(b);

    // A route with metres from the start for each of its points.
    function prepared(route, kind, name) {
      const metres = [0];
      for (let index = 1; index < route.coordinates.length; index++)
        metres.push(metres[index - 1] + lengthOf(route.coordinates[index - 1], route.coordinates[index]));
      const scale = route.totalDistance / (metres[metres.length - 1] || 1);
      let at = 0;
      const edges = route.edges.map(edge => ({ ...edge, from: at, to: at += edge.distance }));
      const ends = [0, ...edges.map(edge => edge.to)];
      const legs = route.viaNodes.map(index => ends[index] || 0);
      return { ...route, edges, legs, kind, name, line: route.coordinates, metres: metres.map(value => value * scale) };
    }

    function pointAt(route, metres) {
      let high = route.metres.findIndex(value => value >= metres);
      if (high < 0) high = route.metres.length - 1;
      const low = Math.max(0, high - 1), span = route.metres[high] - route.metres[low];
      const share = span > 0 ? (metres - route.metres[low]) / span : 0;
      return [0, 1].map(axis => route.line[low][axis] + share * (route.line[high][axis] - route.line[low][axis]));
    }

    function piece(route, from, to) {
      const inner = route.line.filter((_, index) => route.metres[index] > from && route.metres[index] < to);
      return [pointAt(route, from), ...inner, pointAt(route, to)];
    }

    async function findRoutes(isQuick) {
      const query = routeQuery(state.profile);
      if (!query) {
        routes = [];
        showRoutes();
        say(state.points[0] ? 'Click the end, or press B.' : 'Click the start on the map, or press A.');
        return;
      }
      const several = state.alternatives && !isQuick && state.points.length === 2 && !state.compare;
      if (several) query.set('alternatives', '3');
      const other = state.compare && !isQuick ? routeQuery(state.compare) : null;
      const [first, second] = await Promise.all([ask('route', '/api/route', query), other && ask('other', '/api/route', other)]);
      if (!first) return;
      if (first.error) {
        routes = [];
        showRoutes();
        say(first.error + (first.hint ? ' (' + first.hint + ')' : ''), true);
        return;
      }
      const found = Array.isArray(first) ? first : [first];
      routes = found.map((route, index) => prepared(route, index ? 'other' : 'a', index ? 'Alternative ' + index : state.profile));
      if (second && !second.error) routes.push(prepared(second, 'b', state.compare));
      explained = null;
      say(second && second.error ? '“' + state.compare + '”: ' + second.error : '', !!(second && second.error));
      showRoutes();
      if (isQuick) return;
      document.body.dataset.routed = String(Number(document.body.dataset.routed || 0) + 1);
      showLinks();
      await Promise.all([showPlanned(), $('why').open && explain()]);
    }

    function showRoutes() {
      layers.routes.clearLayers();
      layers.alerts.clearLayers();
      // The dashes of the other profile lie on the route, alternatives below it.
      const order = [...routes].sort((one, other) => 'oab'.indexOf(one.kind[0]) - 'oab'.indexOf(other.kind[0]));
      order.forEach(route => polyline(route.line, 'casing', layers.routes));
      order.forEach(route => polyline(route.line, 'line ' + route.kind, layers.routes));
      const route = routes[0];
      $('result').hidden = !route;
      if (!route) { $('chart').hidden = true; fitNames(); showCursor(null); showGhost(null); map.invalidateSize(); return; }
      route.warnings.forEach(warning => {
        if (warning.toMetres - warning.fromMetres >= 1)
          polyline(piece(route, warning.fromMetres, warning.toMetres), 'line ' + severity(warning), layers.alerts);
        const icon = L.divIcon({ className: '', iconSize: [20, 20], html: make('div', { class: 'bang ' + warning.severity }, '!') });
        L.marker(pointAt(route, warning.fromMetres), { icon, keyboard: false, alt: '' }).addTo(layers.alerts)
          .bindTooltip(make('span', {}, warningText(warning)), { direction: 'top' });
      });
      fitNames();
      showFigures();
      showWarnings(route);
      showPart();
    }

    const severity = warning => 'warning ' + warning.severity;
    const warningText = warning => warning.text + ' at ' + length(warning.fromMetres)
      + (warning.toMetres - warning.fromMetres >= 1 ? ', for ' + length(warning.toMetres - warning.fromMetres) : '');

    function figure(name, value) { return make('div', {}, make('dt', {}, name), make('dd', {}, value)); }

    function showFigures() {
      $('figures').replaceChildren(...routes.map(route => {
        const range = route.durationRange && timeRange(route.durationRange.p10, route.durationRange.p90);
        const notes = [
          range && 'most need ' + range,
          route.hardestStretch && 'up to ' + route.hardestStretch.grade,
          route.quickerRoute && time(route.quickerRoute.seconds) + (route.quickerRoute.isByRoad ? ' by road' : ' by another way'),
          route.shorterWay && 'with ' + route.shorterWay.avoided.map(item => item.what).join(', ') + ' only ' + length(route.shorterWay.distanceMetres),
          route.unknownClimbMetres > 0 && 'climb unknown for ' + length(route.unknownClimbMetres),
          ...route.offNetwork.filter(item => item.lastResort).map(item => item.point + ' has only a ' + item.lastResort + ' near it'),
          ...route.offNetwork.filter(item => item.distanceMetres > 20).map(item => item.point + ' lies ' + length(item.distanceMetres) + ' off the ways'),
          ...route.unmet.map(item => 'goes against “' + item.preference + '” for ' + length(item.lengthMetres)),
          'costs ' + grouped(route.totalCost),
          route.accessDate && 'open on ' + route.accessDate,
        ].filter(Boolean);
        return make('dl', { class: 'figures ' + route.kind }, make('h3', {}, named(route.name)),
          figure('length', length(route.totalDistance)), figure('up', metres(route.elevationGain)),
          figure('down', metres(route.elevationLoss)), figure('time', time(route.estimatedDuration)),
          notes.length ? make('p', {}, notes.join('; ')) : null);
      }));
    }

    function objectLink(osm) {
      if (!/^(node|way|relation)\/\d+$/.test(osm || '')) return null;
      return make('a', { href: 'https://www.openstreetmap.org/' + osm, target: '_blank', rel: 'noreferrer' }, osm);
    }

    function showWarnings(route) {
      $('warning-part').hidden = !route.warnings.length;
      $('warnings').replaceChildren(...route.warnings.map(warning => make('li', { class: warning.severity },
        make('button', { type: 'button', onclick: () => zoomTo(route, warning.fromMetres, warning.toMetres) },
          warning.severity + ': ' + warningText(warning)),
        make('small', {}, warning.tag ? plain(warning.tag) + ' ' : '', objectLink(warning.osm)))));
    }

    function zoomTo(route, from, to) {
      map.fitBounds(L.latLngBounds(piece(route, from, to)).pad(0.4), { maxZoom: 16 });
      showCursor(from);
    }

    function showLinks() {
      for (const format of ['gpx', 'geojson', 'json']) {
        const query = routeQuery(state.profile);
        query.set('format', format);
        $(format).href = '/api/route?' + query;
      }
    }

    // Instructions and elevations; those of the other profile for its curve.
    async function showPlanned() {
      const shown = routes.filter(route => route.kind !== 'other');
      await Promise.all(shown.map(async route => {
        const query = routeQuery(route.kind === 'b' ? state.compare : state.profile);
        query.set('format', 'planned');
        const planned = await ask('planned-' + route.kind, '/api/route', query);
        if (planned && !planned.error) Object.assign(route, { turns: planned.turnInstructions, elevations: planned.elevationProfile || [] });
      }));
      const route = routes[0];
      if (!route || !route.turns) return;
      $('instructions').replaceChildren(...route.turns.map(turn => make('li', {},
        make('button', { type: 'button', onclick: () => zoomTo(route, turn.cumulativeDistance, turn.cumulativeDistance) },
          named(turn.description), ' ', make('span', { class: 'soft' }, length(turn.cumulativeDistance))))));
      drawChart();
    }

    // Why: what each stretch costs by the profile, and what it would cost to do without.
    async function explain() {
      const query = new URLSearchParams([...routeQuery(state.profile)].filter(([name]) => !['max-sac', 'avoid-steps'].includes(name)));
      const answer = await ask('explain', '/api/explain', query);
      if (!answer) return;
      if (answer.error) { $('why-piece').textContent = plain(answer.error); return; }
      explained = answer;
      $('why-list').replaceChildren(...answer.stretches.filter(stretch => stretch.distance > 0).map(stretch => make('li', {},
        make('button', { type: 'button', onclick: () => { zoomTo(routes[0], stretch.start, stretch.start + stretch.distance); } },
          ...reason(stretch)))));
    }

    const number = value => String(Math.round(value * 100) / 100);

    function reason(stretch) {
      const factors = stretch.factors.filter(item => item.factor !== 1)
        .map(item => item.factor == null ? 'impassable for ' + item.key : '×' + number(item.factor) + ' for ' + item.key + ' ' + (item.value || 'unknown'));
      const without = explained && explained.alternatives.find(other => other.avoidedEdges.some(edge => stretch.edges.includes(edge)));
      return [make('strong', {}, named(stretch.name || 'unnamed way')), ', ' + length(stretch.distance),
        ': costs ' + grouped(stretch.cost), factors.length ? ', ' + factors.join(', ') : ', by its length and climb',
        without ? (without.route ? '; without it +' + Math.round(100 * without.extraCost / explained.route.cost) + ' %' : '; there is no way around it') : ''];
    }

    function showReason(metres) {
      if (!explained || metres == null) return;
      const stretch = explained.stretches.find(item => item.start <= metres && metres <= item.start + item.distance);
      if (stretch) $('why-piece').replaceChildren(...reason(stretch).map(part => typeof part === 'object' ? part : plain(part)));
    }

    async function showReach() {
      layers.reach.clearLayers();
      if (!state.reach || !state.points[0]) return;
      const query = choiceQuery(state.profile, new URLSearchParams({ from: pointText(state.points[0]), minutes: state.reach }));
      const answer = await ask('reach', '/api/isochrone', query);
      if (!answer || answer.error) { if (answer) say(answer.error, true); return; }
      [...answer.features].reverse().forEach(feature => L.polygon(
        feature.geometry.coordinates.map(polygon => polygon.map(ring => ring.map(([longitude, latitude]) => [latitude, longitude]))),
        { className: 'reach', interactive: false }).addTo(layers.reach));
    }

    """#
}
