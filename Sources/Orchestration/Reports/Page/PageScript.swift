// SPDX-License-Identifier: Apache-2.0

extension ReportPage {
  /// The page's script: choosing a route in the list or on the map shows its details.
  ///
  /// Without it, all details and the drawn map are shown; with Leaflet in the page, the map can be
  /// moved. The routes' lines are those of the drawn map.
  static let script = #"""
    (function () {
      'use strict';
      document.documentElement.classList.add('js');

      // The lines of a path: relative moves in the units of the drawing.
      function lines(path) {
        return path.getAttribute('d').split('M').filter(Boolean).map(function (part) {
          var halves = part.split('l'), at = halves[0].split(' ').map(Number), points = [at.slice()];
          var moves = (halves[1] || '').split(' ').map(Number);
          for (var i = 0; i + 1 < moves.length; i += 2) {
            at = [at[0] + moves[i], at[1] + moves[i + 1]];
            points.push(at);
          }
          return points;
        });
      }

      function attribution(drawing) {
        var text = document.createElement('span');
        text.textContent = drawing.dataset.attribution;
        return text.innerHTML;
      }

      function unprojector(drawing) {
        var west = +drawing.dataset.west, north = +drawing.dataset.north, scale = +drawing.dataset.scale;
        return function (point) {
          var angle = Math.PI * (1 - 2 * (north + point[1] / scale));
          return [Math.atan(Math.sinh(angle)) * 180 / Math.PI, (west + point[0] / scale) * 360 - 180];
        };
      }

      function explorer(root) {
        var buttons = Array.from(root.querySelectorAll('.routes button'));
        var details = Array.from(root.querySelectorAll('.detail'));
        var drawings = Array.from(root.querySelectorAll('svg.map'));
        var show = window.L && drawings.length ? leafletMap(root, drawings, choose) : drawn(drawings, choose);

        function choose(id, isByHand) {
          buttons.forEach(function (button) {
            button.setAttribute('aria-pressed', String(button.dataset.route === id));
          });
          details.forEach(function (detail) { detail.hidden = detail.dataset.route !== id; });
          show(id, isByHand);
        }

        buttons.forEach(function (button, index) {
          button.addEventListener('click', function () { choose(button.dataset.route, true); });
          button.addEventListener('keydown', function (event) {
            var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (!step) return;
            var next = buttons[(index + step + buttons.length) % buttons.length];
            event.preventDefault();
            next.focus();
            choose(next.dataset.route, true);
          });
        });
        if (buttons.length) choose(buttons[0].dataset.route, false);
      }

      // Shows the names that fit between left and right and cover no mark, the first ones first: each has
      // its element, its place and its width.
      function unfold(names, left, right, marks) {
        var taken = marks.map(function (at) { return [at.x - 12, at.y - 12, at.x + 12, at.y + 12]; });
        names.forEach(function (name) {
          var at = name.place(), half = name.width / 2, box = [at.x - half, at.y - 8, at.x + half, at.y + 8];
          var fits = box[0] >= left && box[2] <= right && !taken.some(function (other) {
            return box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3];
          });
          if (fits) taken.push(box);
          name.element.classList.toggle('crowded', !fits);
        });
      }

      // The map as it is drawn in the page: choosing a route enlarges it.
      function drawn(drawings, choose) {
        drawings.forEach(function (drawing) {
          drawing.querySelectorAll('.route').forEach(function (route) {
            route.addEventListener('click', function () { choose(route.dataset.route, true); });
            route.addEventListener('keydown', function (event) {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              choose(route.dataset.route, true);
            });
          });
        });
        return function (id) {
          drawings.forEach(function (drawing) {
            var chosen = null;
            drawing.querySelectorAll('.route').forEach(function (route) {
              var is = route.dataset.route === id;
              route.classList.toggle('selected', is);
              if (is) chosen = route;
            });
            drawing.toggleAttribute('hidden', !chosen);
            drawing.querySelector('.layer').classList.toggle('has-selection', !!chosen);
            if (!chosen) return;
            chosen.parentNode.appendChild(chosen);
            var box = chosen.getBBox(), side = Math.max(box.width, box.height, 300) * 1.25;
            // Names stay as large as they were.
            var unit = side / 500;
            var texts = Array.from(drawing.querySelectorAll('.names text'));
            texts.forEach(function (text) {
              text.style.fontSize = 12 * unit + 'px';
              text.style.strokeWidth = 3 * unit + 'px';
            });
            unfold(texts.map(function (text) {
              return { element: text, width: text.textContent.length * 6.6 + 6, place: function () {
                return { x: text.getAttribute('x') / unit, y: text.getAttribute('y') / unit };
              } };
            }), (box.x + box.width / 2) / unit - 250, (box.x + box.width / 2) / unit + 250, []);
            drawing.setAttribute('viewBox', [box.x + box.width / 2 - side / 2,
              box.y + box.height / 2 - side / 2, side, side].join(' '));
          });
        };
      }

      function leafletMap(root, drawings, choose) {
        var holder = document.createElement('div'), routes = {}, pins = [];
        holder.className = 'map';
        holder.setAttribute('role', 'application');
        holder.setAttribute('aria-label', 'Map of the changed routes; the list has them, too');
        drawings[0].parentNode.insertBefore(holder, drawings[0]);
        var map = L.map(holder, { zoomSnap: 0.25, maxZoom: 18, scrollWheelZoom: false });
        map.attributionControl.setPrefix(false).addAttribution(attribution(drawings[0]));
        // On a phone the attributions need the whole lower edge.
        L.control.scale({ imperial: false, position: window.innerWidth < 560 ? 'topright' : 'bottomleft' })
          .addTo(map);
        var names = [];
        // Turning the wheel scrolls the page until the map is used.
        map.on('click focus', function () { map.scrollWheelZoom.enable(); });
        map.on('mouseout blur', function () { map.scrollWheelZoom.disable(); });
        drawings.forEach(function (drawing, index) {
          var unproject = unprojector(drawing), size = drawing.viewBox.baseVal;
          var bounds = [unproject([0, 0]), unproject([size.width, size.height])];
          // Lines have no place before the map has one.
          if (index === 0) map.fitBounds(bounds, { animate: false });
          var relief = drawing.querySelector('image'), ways = drawing.querySelector('.ways');
          if (relief) L.imageOverlay(relief.getAttribute('href'), bounds, { className: 'relief' }).addTo(map);
          if (ways) {
            var overlay = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
            overlay.setAttribute('viewBox', drawing.getAttribute('viewBox'));
            overlay.setAttribute('preserveAspectRatio', 'none');
            overlay.appendChild(ways.cloneNode(true));
            L.svgOverlay(overlay, bounds).addTo(map);
          }
          drawing.querySelectorAll('.route').forEach(function (route) {
            var id = route.dataset.route, layers = [];
            ['casing', 'base', 'candidate'].forEach(function (kind) {
              route.querySelectorAll('path.' + kind).forEach(function (path) {
                var layer = L.polyline(lines(path).map(function (line) { return line.map(unproject); }),
                  { className: kind, interactive: kind !== 'casing', smoothFactor: 0.6 });
                layer.on('click', function (event) { L.DomEvent.stop(event); choose(id, true); });
                layers.push(layer.addTo(map));
              });
            });
            routes[id] = L.featureGroup(layers);
          });
          drawing.querySelectorAll('.names text').forEach(function (text) {
            var at = unproject([+text.getAttribute('x'), +text.getAttribute('y')]);
            var label = document.createElement('span');
            label.textContent = text.textContent;
            var marker = L.marker(at, { interactive: false, keyboard: false, zIndexOffset: -1000,
              icon: L.divIcon({ className: 'name ' + text.getAttribute('class'), html: label }) }).addTo(map);
            names.push({ element: marker.getElement(), width: label.textContent.length * 6.6 + 6,
              place: function () { return map.latLngToLayerPoint(at); } });
          });
          drawing.setAttribute('hidden', '');
          drawing.style.display = 'none';
        });
        function unfoldAll() {
          var left = map.containerPointToLayerPoint([0, 0]).x;
          unfold(names, left, left + map.getSize().x, pins.map(function (pin) {
            return map.latLngToLayerPoint(pin.getLatLng());
          }));
        }
        map.on('moveend', unfoldAll);
        unfoldAll();
        return function (id, isByHand) {
          pins.forEach(function (pin) { pin.remove(); });
          pins = [];
          Object.keys(routes).forEach(function (key) {
            routes[key].eachLayer(function (layer) {
              var element = layer.getElement();
              if (element) element.classList.toggle('selected', key === id);
            });
          });
          var route = routes[id];
          if (!route) return;
          route.bringToFront();
          map.fitBounds(route.getBounds().pad(0.15), { animate: false });
          var ends = route.getLayers()[route.getLayers().length - 1].getLatLngs().flat(Infinity);
          [['A', ends[0]], ['B', ends[ends.length - 1]]].forEach(function (end) {
            pins.push(L.marker(end[1], { interactive: false, keyboard: false,
              icon: L.divIcon({ className: 'pin', html: end[0] }) }).addTo(map));
          });
          unfoldAll();
        };
      }

      document.querySelectorAll('.explorer-root').forEach(explorer);
    })();
    """#
}
