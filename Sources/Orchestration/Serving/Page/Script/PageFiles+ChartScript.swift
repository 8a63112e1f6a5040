// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The elevation profile: its cursor is the map's, and a part of it can be selected.
  static let chartScript = #"""
    let chart = null, cursor = null, isInChart = false;

    function shape(tag, attributes, text) {
      const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text != null) element.textContent = text;
      return element;
    }

    function step(span, most) {
      const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
      return [1, 2, 5, 10].map(factor => factor * power).find(value => value >= rough) || power;
    }

    function drawChart() {
      const drawn = routes.filter(route => (route.elevations || []).length > 1), svg = $('profile-chart');
      const wasHidden = $('chart').hidden;
      $('chart').hidden = !drawn.length || drawn[0] !== routes[0];
      if (wasHidden !== $('chart').hidden) map.invalidateSize();
      if ($('chart').hidden) return;
      const width = svg.clientWidth, height = svg.clientHeight, [left, right, top, bottom] = [54, 8, 8, 20];
      const all = drawn.flatMap(route => route.elevations.map(point => point.elevation)).filter(value => value != null);
      const far = Math.max(...drawn.map(route => route.totalDistance), 1);
      let low = Math.min(...all), high = Math.max(...all);
      if (high - low < 100) { const middle = (high + low) / 2; low = middle - 50; high = middle + 50; }
      const x = metres => left + metres / far * (width - left - right);
      const y = elevation => height - bottom - (elevation - low) / (high - low) * (height - top - bottom);
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      svg.replaceChildren();
      const rise = step(high - low, height < 110 ? 2 : 4), run = step(far, width < 500 ? 4 : 8);
      for (let value = Math.ceil(low / rise) * rise; value <= high; value += rise) {
        svg.append(shape('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }),
          shape('text', { x: left - 5, y: y(value) + 4, 'text-anchor': 'end' }, metres(value)));
      }
      for (let value = run; value <= far; value += run)
        svg.append(shape('text', { x: Math.min(x(value), width - 22), y: height - 5, 'text-anchor': 'middle' }, run < 1000 ? value + ' m' : value / 1000 + ' km'));
      [...drawn].reverse().forEach(route => {
        const points = route.elevations.filter(point => point.elevation != null).map(point => x(point.distance).toFixed(1) + ' ' + y(point.elevation).toFixed(1));
        if (route.kind === 'a') svg.append(shape('path', { class: 'area', d: 'M' + x(0) + ' ' + (height - bottom) + 'L' + points.join('L') + 'L' + x(route.totalDistance) + ' ' + (height - bottom) + 'Z' }));
        svg.append(shape('path', { class: 'curve ' + route.kind, d: 'M' + points.join('L') }));
      });
      routes[0].warnings.forEach(warning => svg.append(shape('rect', { class: 'band ' + warning.severity, x: x(warning.fromMetres),
        width: Math.max(3, x(warning.toMetres) - x(warning.fromMetres)), y: height - bottom, height: 5 })));
      const selected = shape('rect', { class: 'selected', y: top, height: height - top - bottom, x: 0, width: 0 });
      const line = shape('line', { class: 'cursor', y1: top, y2: height - bottom, visibility: 'hidden' });
      svg.append(selected, line);
      chart = { x, line, selected, metres: pixel => Math.min(Math.max((pixel - left) / (width - left - right) * far, 0), routes[0].totalDistance) };
      showPart();
    }

    function elevationAt(route, metres) {
      const points = route.elevations || [];
      const high = points.findIndex(point => point.distance >= metres);
      if (high <= 0) return points.length ? points[high < 0 ? points.length - 1 : 0].elevation : null;
      const [a, b] = [points[high - 1], points[high]];
      if (a.elevation == null || b.elevation == null) return null;
      return a.elevation + (metres - a.distance) / ((b.distance - a.distance) || 1) * (b.elevation - a.elevation);
    }

    // One cursor for the map and the profile.
    function showCursor(metres) {
      cursor = metres;
      const route = routes[0];
      if (metres == null || !route) {
        here.remove();
        if (chart) chart.line.setAttribute('visibility', 'hidden');
        if (route && !state.part) $('part').textContent = partHint;
        return;
      }
      here.setLatLng(pointAt(route, metres)).addTo(map);
      const elevation = elevationAt(route, metres);
      if (chart) {
        chart.line.setAttribute('x1', chart.x(metres));
        chart.line.setAttribute('x2', chart.x(metres));
        chart.line.setAttribute('visibility', 'visible');
      }
      const edge = route.edges.find(item => item.from <= metres && metres <= item.to && item.distance > 0);
      const kind = edge ? [edge.name, edge.highwayType, edge.surface, edge.sacScale].filter(Boolean).join(', ') : '';
      const text = 'at ' + length(metres) + (elevation == null ? '' : ', ' + metresText(elevation)) + (kind ? ': ' + kind : '');
      $('profile-chart').setAttribute('aria-valuetext', plain(text));
      if (!state.part) $('part').replaceChildren(named(text));
      showReason(metres);
    }
    const metresText = value => metres(value) + ' high';
    const partHint = 'Drag over the profile to measure a part.';

    // The figures of the selected part.
    function showPart() {
      layers.part.clearLayers();
      const route = routes[0];
      if (!route || !state.part) {
        if (chart) chart.selected.setAttribute('width', 0);
        $('part').textContent = route ? partHint : '';
        return;
      }
      const [from, to] = state.part.map(value => Math.min(value, route.totalDistance));
      if (chart) {
        chart.selected.setAttribute('x', chart.x(from));
        chart.selected.setAttribute('width', Math.max(1, chart.x(to) - chart.x(from)));
      }
      polyline(piece(route, from, to), 'line part', layers.part);
      const inner = (route.elevations || []).filter(point => point.distance > from && point.distance < to).map(point => point.elevation);
      const heights = [elevationAt(route, from), ...inner, elevationAt(route, to)];
      let up = 0, down = 0;
      for (let index = 1; index < heights.length; index++) {
        const rise = heights[index] - heights[index - 1];
        if (rise > 0) up += rise; else down -= rise;
      }
      const isKnown = heights.every(value => value != null);
      const seconds = route.edges.reduce((sum, edge) => {
        const share = edge.distance > 0 ? Math.max(0, Math.min(to, edge.to) - Math.max(from, edge.from)) / edge.distance : 0;
        return sum + (edge.duration || 0) * share;
      }, 0);
      $('part').textContent = `From ${length(from)} to ${length(to)}: ${length(to - from)}`
        + (isKnown ? `, ${metres(up)} up, ${metres(down)} down, ${Math.round((heights[heights.length - 1] - heights[0]) / Math.max(to - from, 1) * 100)} % on average` : ', climb unknown')
        + (seconds ? `, ${time(seconds)}` : '');
    }

    function listenToChart() {
      const svg = $('profile-chart');
      let begun = null;
      const at = event => chart && chart.metres(event.clientX - svg.getBoundingClientRect().left);
      svg.addEventListener('pointerdown', event => {
        if (!chart) return;
        begun = at(event);
        svg.setPointerCapture(event.pointerId);
      });
      svg.addEventListener('pointermove', event => {
        if (!chart) return;
        const metres = at(event);
        if (begun != null && Math.abs(chart.x(metres) - chart.x(begun)) > 4) { state.part = [Math.min(begun, metres), Math.max(begun, metres)]; showPart(); }
        showCursor(metres);
      });
      svg.addEventListener('pointerup', event => {
        if (begun != null && chart && Math.abs(chart.x(at(event)) - chart.x(begun)) <= 4) { state.part = null; showPart(); }
        begun = null;
        writeAddress();
      });
      svg.addEventListener('pointerenter', () => { isInChart = true; });
      svg.addEventListener('pointerleave', () => { isInChart = false; if (begun == null) showCursor(null); });
      svg.addEventListener('keydown', event => {
        const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key], route = routes[0];
        if (!moves || !route) return;
        event.preventDefault();
        const last = cursor == null ? 0 : cursor, next = Math.min(Math.max(last + moves * route.totalDistance / 100, 0), route.totalDistance);
        if (event.shiftKey) {
          const [from, to] = state.part || [last, last];
          state.part = last === from && from !== to ? [Math.min(next, to), Math.max(next, to)] : [Math.min(from, next), Math.max(from, next)];
          showPart();
          writeAddress();
        }
        showCursor(next);
      });
      new ResizeObserver(() => routes.length && drawChart()).observe($('stage'));
    }

    """#
}
