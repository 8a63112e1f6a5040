// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The map: relief, ways, points that can be dragged, and lines.
  static let mapScript = #"""
    let map, layers = {}, markers = [], ghost, here;

    function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

    // The ways of the databases, drawn into a canvas for each tile.
    const WayTiles = L.GridLayer.extend({
      createTile(at, done) {
        const canvas = document.createElement('canvas'), size = this.getTileSize(), ratio = window.devicePixelRatio || 1;
        canvas.width = size.x * ratio;
        canvas.height = size.y * ratio;
        fetch(`/tiles/ways/${at.z}/${at.x}/${at.y}.json?g=${generation}`).then(answer => answer.json()).then(json => {
          this.draw(canvas, at, json, size.x * ratio, ratio);
          done(null, canvas);
        }).catch(error => done(error, canvas));
        return canvas;
      },
      draw(canvas, at, json, size, ratio) {
        const context = canvas.getContext('2d'), tiles = 2 ** at.z;
        const styles = { road: ['--road', 2.2, []], track: ['--track', 1.6, [7, 3]], path: ['--path', 1.6, [4, 2]] };
        context.lineJoin = context.lineCap = 'round';
        for (const feature of json.features || []) {
          const [name, width, dash] = styles[feature.properties.kind] || styles.path;
          context.strokeStyle = colour(name);
          context.lineWidth = width * ratio * (at.z < 12 ? 0.6 : at.z > 14 ? 1.5 : 1);
          context.setLineDash(at.z < 12 ? [] : dash.map(part => part * ratio));
          context.beginPath();
          for (const line of feature.geometry.coordinates) {
            line.forEach(([longitude, latitude], index) => {
              const sine = Math.sin(latitude * Math.PI / 180);
              const x = ((longitude + 180) / 360 * tiles - at.x) * size;
              const y = ((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles - at.y) * size;
              if (index) context.lineTo(x, y); else context.moveTo(x, y);
            });
          }
          context.stroke();
        }
      }
    });

    function makeMap() {
      map = L.map('map', { zoomControl: false, minZoom: 3, maxZoom: 18, zoomSnap: 0.5, preferCanvas: false });
      L.control.zoom({ position: 'topright' }).addTo(map);
      map.attributionControl.setPrefix(false);
      // On a phone the attributions need the whole lower edge.
      L.control.scale({ imperial: false, position: matchMedia('(max-width:800px)').matches ? 'topleft' : 'bottomleft' }).addTo(map);
      map.createPane('names').style.zIndex = 450;
      for (const name of ['boxes', 'names', 'reach', 'routes', 'part', 'runs', 'alerts']) layers[name] = L.layerGroup().addTo(map);
      map.on('click', event => placeNext([event.latlng.lat, event.latlng.lng]));
      map.on('moveend', () => {
        const centre = map.getCenter();
        state.view = [+map.getZoom().toFixed(1), centre.lat.toFixed(4), centre.lng.toFixed(4)].join('/');
        writeAddress();
        showNames();
      });
      map.on('mousemove', event => followMouse(event));
      map.on('mouseout', () => isInChart || showCursor(null));
      here = L.circleMarker([0, 0], { radius: 7, className: 'here', interactive: false });
      map.getContainer().setAttribute('aria-label', 'Map: click the start and the end of a route, or press A and B');
      window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => layers.ways && layers.ways.redraw());
    }

    // What lies below the routes, and where the regions are.
    function showGround() {
      for (const name of ['relief', 'ways']) if (layers[name]) layers[name].remove();
      const boxes = served.regions.map(region => region.box).filter(Boolean)
        .map(([west, south, east, north]) => L.latLngBounds([south, west], [north, east]));
      const all = boxes.reduce((sum, box) => sum ? sum.extend(box) : L.latLngBounds(box.getSouthWest(), box.getNorthEast()), null);
      if (served.relief) layers.relief = L.tileLayer(`/tiles/relief/{z}/{x}/{y}.png?g=${generation}`, {
        className: 'relief', opacity: 0.5, bounds: all || undefined, minZoom: 3, minNativeZoom: served.relief[0],
        maxNativeZoom: served.relief[1], maxZoom: 18 }).addTo(map);
      layers.ways = new WayTiles({ minZoom: served.waysFromZoom, maxZoom: 18, maxNativeZoom: 16, bounds: all || undefined }).addTo(map);
      layers.boxes.clearLayers();
      boxes.forEach(box => L.rectangle(box, { className: 'box', interactive: false, fill: false }).addTo(layers.boxes));
      served.attributions.forEach(text => map.attributionControl.addAttribution(escaped(text)));
      const view = (state.view || '').split('/').map(Number);
      if (view.length === 3 && view.every(Number.isFinite)) map.setView([view[1], view[2]], view[0]);
      else if (all) map.fitBounds(all);
      else map.setView([47, 10], 5);
    }

    let knownNames = [];

    async function showNames() {
      if (!served.hasPlaces) return;
      const bounds = map.getBounds(), limited = (value, limit) => Math.max(-limit, Math.min(limit, value)).toFixed(5);
      const box = [limited(bounds.getWest(), 180), limited(bounds.getSouth(), 90), limited(bounds.getEast(), 180), limited(bounds.getNorth(), 90)];
      const answer = await ask('names', '/api/names', 'box=' + box.join(','));
      if (!answer || !answer.names) return;
      knownNames = answer.names;
      fitNames();
    }

    // The names that lie within the map and cover neither each other nor pins and warnings, the most
    // important ones first.
    function fitNames() {
      layers.names.clearLayers();
      const size = map.getSize(), taken = [];
      const marks = [...markers.map(marker => [marker, 13]), ...layers.alerts.getLayers().filter(layer => layer.getLatLng).map(layer => [layer, 10])];
      for (const [marker, half] of marks) {
        const at = map.latLngToContainerPoint(marker.getLatLng());
        taken.push({ x: at.x, y: at.y, half, up: half });
      }
      for (const name of knownNames) {
        const point = [name.latitude, name.longitude], at = map.latLngToContainerPoint(point), half = name.text.length * 3.4 + 4, up = 8.5;
        at.y -= 14;
        if (at.x < half || at.x > size.x - half || at.y < up || at.y > size.y - up) continue;
        if (taken.some(other => Math.abs(other.x - at.x) < other.half + half && Math.abs(other.y - at.y) < other.up + up)) continue;
        taken.push({ x: at.x, y: at.y, half, up });
        const icon = L.divIcon({ className: 'name ' + name.kind, iconSize: null, html: make('span', {}, named(name.text)) });
        L.marker(point, { icon, pane: 'names', interactive: false, keyboard: false }).addTo(layers.names);
      }
    }

    function pin(name, kind) {
      const size = kind === 'ghost' ? 16 : 26;
      return L.divIcon({ className: '', iconSize: [size, size], html: make('div', { class: 'pin ' + (kind || '') }, name) });
    }

    const letter = index => index === 0 ? 'A' : index === state.points.length - 1 ? 'B' : String(index);
    const title = index => index === 0 ? 'Start' : index === state.points.length - 1 ? 'End' : 'Via ' + index;

    // A point by a click: the start, then the end; with both, the end is another one.
    function placeNext(point) {
      if (!state.points[0]) state.points[0] = point;
      else state.points[state.points.length - 1] = point;
      changed();
    }

    function showMarkers() {
      markers.forEach(marker => marker.remove());
      markers = state.points.map((point, index) => {
        if (!point) return null;
        const marker = L.marker(point, { icon: pin(letter(index)), draggable: true, autoPan: true, zIndexOffset: 1000, title: title(index), alt: title(index) });
        marker.on('drag', () => { const at = marker.getLatLng(); state.points[index] = [at.lat, at.lng]; routeSoon(); });
        marker.on('dragend', changed);
        marker.on('keydown', event => event.originalEvent.key === 'Delete' && removePoint(index));
        return marker.addTo(map);
      }).filter(Boolean);
      fitNames();
    }

    function removePoint(index) {
      if (index === 0 || index === state.points.length - 1) state.points[index] = null;
      else state.points.splice(index, 1);
      changed();
    }

    function polyline(points, kind, group, options) {
      return L.polyline(points, { className: kind, smoothFactor: 0.7, interactive: false, ...options }).addTo(group);
    }

    // A handle on the route under the mouse, which becomes a via point when it is dragged.
    function showGhost(place) {
      if (ghost && ghost.isDragged) return;
      if (!place) { if (ghost) ghost.remove(); ghost = null; return; }
      if (!ghost) {
        ghost = L.marker(place.point, { icon: pin('', 'ghost'), draggable: true, keyboard: false, zIndexOffset: -100 }).addTo(map);
        ghost.on('dragstart', () => {
          ghost.isDragged = true;
          ghost.index = routes[0].legs.filter(end => end <= ghost.metres).length + 1;
          state.points.splice(ghost.index, 0, ghost.place);
        });
        ghost.on('drag', () => { const at = ghost.getLatLng(); state.points[ghost.index] = [at.lat, at.lng]; routeSoon(); });
        ghost.on('dragend', () => { ghost.remove(); ghost = null; changed(); });
      }
      ghost.setLatLng(place.point);
      ghost.place = place.point;
      ghost.metres = place.metres;
    }

    const followedPixels = 18;
    function followMouse(event) {
      const route = routes[0];
      if (!route) return;
      let best = null;
      for (let index = 0; index < route.line.length; index++) {
        const at = map.latLngToContainerPoint(route.line[index]);
        const last = index ? map.latLngToContainerPoint(route.line[index - 1]) : at;
        const near = L.LineUtil.closestPointOnSegment(event.containerPoint, last, at);
        const pixels = near.distanceTo(event.containerPoint);
        if (best && pixels >= best.pixels) continue;
        const share = last.distanceTo(at) > 0 ? near.distanceTo(last) / last.distanceTo(at) : 0;
        const before = index ? route.metres[index - 1] : 0;
        best = { pixels, point: near, metres: before + share * (route.metres[index] - before) };
      }
      if (!best || best.pixels > followedPixels) { showGhost(null); showCursor(null); return; }
      const at = map.containerPointToLatLng(best.point);
      showGhost({ point: [at.lat, at.lng], metres: best.metres });
      showCursor(best.metres);
    }

    """#
}
