// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The panel: points, profiles and their numbers, search, regions, keys; and the beginning.
  static let panelScript = #"""
    const placeNames = new Map();

    // The points by the places that they lie at.
    function showPoints() {
      $('points').replaceChildren(...state.points.map((point, index) => {
        const text = make('span', {}, point ? pointText(point) : 'not chosen');
        if (point && served.hasPlaces) describe(point, text);
        return make('li', {}, make('div', { class: 'pin', 'aria-hidden': 'true' }, letter(index)), text,
          point ? make('button', { type: 'button', 'aria-label': 'Remove ' + title(index), onclick: () => removePoint(index) }, '✕') : null);
      }));
    }

    async function describe(point, element) {
      const key = pointText(point);
      if (!placeNames.has(key)) {
        if (placeNames.size > 200) placeNames.clear();
        const answer = await ask('where ' + key, '/api/where', new URLSearchParams({ at: key }));
        if (!answer || answer.error) return;
        placeNames.set(key, answer.description || '');
      }
      if (placeNames.get(key)) element.replaceChildren(named(placeNames.get(key)));
    }

    function showProfiles() {
      const option = (profile, chosen) => make('option', { value: profile.name, selected: profile.name === chosen, title: profile.description },
        profile.name + (profile.isStored ? '' : ' *'));
      if (!served.profiles.some(profile => profile.name === state.profile)) state.profile = served.profiles.length ? served.profiles[0].name : '';
      $('profile-a').replaceChildren(...served.profiles.map(profile => option(profile, state.profile)));
      $('profile-b').replaceChildren(make('option', { value: '' }, 'nothing'), ...served.profiles.map(profile => option(profile, state.compare)));
      $('profile-a').title = $('profile-b').title = '* is not in the database; its costs are computed here';
      $('numbers').hidden = !served.profiles.length;
      $('max-sac').value = state.sac;
      $('avoid-steps').checked = state.steps;
      $('alternatives').checked = state.alternatives;
      $('reach').value = state.reach;
    }

    const isNumber = text => /^-?\d+(\.\d+)?$/.test(text);
    let numberTimer = 0;

    // The numbers of the profile as fields; a changed one prices the route anew.
    async function showNumbers() {
      if (!$('numbers').open) return;
      const stored = await ask('profile', '/api/profile', new URLSearchParams({ profile: state.profile }));
      if (!stored || stored.error) { if (stored) say(stored.error, true); return; }
      const groups = new Map();
      for (const item of stored.numbers) {
        const dot = item.key.lastIndexOf('.'), group = dot < 0 ? '' : item.key.slice(0, dot);
        if (!groups.has(group)) groups.set(group, []);
        groups.get(group).push(item);
      }
      $('number-list').replaceChildren(...[...groups].map(([group, items]) => make('fieldset', { 'data-group': group },
        make('legend', {}, named(group || 'general'), make('small', {}, group ? items[0].help : '')),
        ...items.map(numberField))));
      filterNumbers();
    }

    function numberField(item) {
      const text = value => value == null ? 'impassable' : number(value);
      const changedTo = state.set.find(([key]) => key === item.key);
      const field = make('input', { inputmode: 'decimal', value: changedTo ? changedTo[1] : text(item.value), maxlength: 20, 'data-key': item.key,
        title: item.help, autocomplete: 'off', class: changedTo ? 'changed' : null });
      field.addEventListener('input', () => {
        const value = field.value.trim(), range = item.range || [-Infinity, Infinity];
        const isGood = isNumber(value) ? +value >= range[0] && +value <= range[1] : value === 'impassable' && item.canBeImpassable;
        field.setAttribute('aria-invalid', String(!isGood));
        if (!isGood) { say('“' + item.key + '” takes a number from ' + range[0] + ' to ' + range[1] + (item.canBeImpassable ? ', or “impassable”' : ''), true); return; }
        state.set = state.set.filter(([key]) => key !== item.key);
        const isChanged = value !== text(item.value);
        field.classList.toggle('changed', isChanged);
        if (isChanged) state.set.push([item.key, value]);
        clearTimeout(numberTimer);
        numberTimer = setTimeout(changed, 120);
      });
      const dot = item.key.lastIndexOf('.');
      return make('label', { title: item.help }, named(item.key.slice(dot + 1)), field);
    }

    function filterNumbers() {
      const words = $('number-filter').value.toLowerCase();
      for (const group of $('number-list').children) {
        let shown = 0;
        for (const label of group.querySelectorAll('label')) {
          const key = label.querySelector('input').dataset.key;
          label.hidden = !(key + ' ' + label.title).toLowerCase().includes(words);
          label.style.display = label.hidden ? 'none' : '';
          if (!label.hidden) shown++;
        }
        group.hidden = !shown;
      }
    }

    async function saveProfile() {
      const query = choiceQuery(state.profile, new URLSearchParams());
      if (state.set.length) query.set('name', (state.profile + '-changed').slice(0, 64));
      const answer = await ask('save', '/api/profile', query);
      if (!answer || answer.error) { if (answer) say(answer.error, true); return; }
      const url = URL.createObjectURL(new Blob([answer.yaml], { type: 'application/yaml' }));
      make('a', { href: url, download: answer.name + '.yaml' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    let found = [], marked = -1;

    async function search() {
      const words = $('query').value.trim();
      if (!words) { showFound([]); return; }
      const centre = map.getCenter();
      const answer = await ask('search', '/api/search', new URLSearchParams({ q: words, near: pointText([centre.lat, centre.lng]) }));
      if (!answer) return;
      if (answer.error) { showFound([]); say(answer.error, true); return; }
      showFound(answer.results);
      if (!answer.results.length) say('No place is called “' + words + '”.');
    }

    function showFound(results) {
      found = results;
      marked = results.length ? 0 : -1;
      $('found').replaceChildren(...results.map((result, index) => make('li', { role: 'option', id: 'found-' + index,
        'aria-selected': String(index === marked), onmousedown: event => { event.preventDefault(); choose(index); } },
        named(result.title), make('small', {}, named(result.subtitle), result.distance == null ? '' : ', ' + length(result.distance)))));
      $('found').hidden = !results.length;
      $('query').setAttribute('aria-expanded', String(!!results.length));
      markFound(marked);
    }

    function markFound(index) {
      marked = index;
      [...$('found').children].forEach((row, at) => row.setAttribute('aria-selected', String(at === index)));
      if (index >= 0) { $('query').setAttribute('aria-activedescendant', 'found-' + index); $('found').children[index].scrollIntoView({ block: 'nearest' }); }
      else $('query').removeAttribute('aria-activedescendant');
    }

    // A place that was found becomes the point that is missing; with both, it is shown.
    function choose(index) {
      const result = found[index], point = [result.latitude, result.longitude];
      showFound([]);
      $('query').value = plain(result.title);
      map.setView(point, Math.max(map.getZoom(), 14));
      if (state.points.some(item => !item)) {
        state.points[state.points[0] ? state.points.length - 1 : 0] = point;
        changed();
      } else {
        L.popup({ closeButton: false }).setLatLng(point).setContent(make('div', {}, named(result.title), make('p', { class: 'row' },
          ...[['Start', 0], ['Via', 1], ['End', -1]].map(([name, place]) => make('button', { type: 'button', onclick: () => {
            if (place === 1) state.points.splice(-1, 0, point); else state.points[place === 0 ? 0 : state.points.length - 1] = point;
            map.closePopup();
            changed();
          } }, name))))).openOn(map);
      }
    }

    function listenToSearch() {
      let timer = 0;
      $('query').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 100); });
      $('query').addEventListener('keydown', event => {
        const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (move && found.length) { event.preventDefault(); markFound((marked + move + found.length) % found.length); }
        if (event.key === 'Escape') showFound([]);
      });
      $('query').addEventListener('blur', () => setTimeout(() => showFound([]), 150));
      $('searching').addEventListener('submit', async event => {
        event.preventDefault();
        if (!found.length) await search();
        if (found.length) choose(Math.max(marked, 0));
      });
    }

    function age(date) {
      const days = Math.floor((Date.now() - Date.parse(date)) / 864e5);
      return Number.isFinite(days) && days >= 0 ? (days === 1 ? '1 day old' : days + ' days old') : '';
    }

    function showRegions() {
      const names = served.regions.map(region => region.name || region.id || 'region');
      $('title').replaceChildren(named(names.slice(0, 3).join(', ') + (names.length > 3 ? ' and ' + (names.length - 3) + ' more' : '')));
      document.title = plain(names[0] || 'Cairn') + ' – Cairn';
      $('regions').replaceChildren(...served.regions.map((region, index) => make('li', {},
        make('button', { type: 'button', onclick: () => region.box && map.fitBounds([[region.box[1], region.box[0]], [region.box[3], region.box[2]]]) }, named(names[index])),
        make('div', { class: 'soft' }, [region.state, region.reason, region.dataDate && 'data of ' + region.dataDate.slice(0, 10) + ', ' + age(region.dataDate),
          region.edges != null && grouped(region.edges) + ' edges'].filter(Boolean).join('; ')))));
    }

    // The warnings of the bundles: a list, and points on the map.
    async function showRuns() {
      layers.runs.clearLayers();
      $('runs').replaceChildren();
      if (!$('region-part').open) return;
      const answer = await ask('warnings', '/api/warnings');
      if (!answer) return;
      if (answer.error) { say(answer.error, true); return; }
      $('runs').replaceChildren(...answer.regions.map((region, index) => make('section', {},
        make('h3', {}, named(served.regions[index] && served.regions[index].name || region.id)),
        region.isRecorded ? null : make('p', { class: 'soft' }, 'No warnings are recorded for it.'),
        region.drift.length ? make('ul', {}, ...region.drift.map(row => make('li', {}, named(row)))) : null,
        ...region.warnings.map(kind => make('details', {},
          make('summary', {}, named(grouped(kind.count) + ' × ' + kind.kind.replace(/-/g, ' ') + ' (' + kind.stage + ')')),
          make('ul', {}, ...kind.examples.map(runWarning)))))));
    }

    function runWarning(example) {
      const object = /\b(node|way|relation)[ /](\d+)/.exec(example.text);
      const link = object && objectLink(object[1] + '/' + object[2]);
      if (example.latitude == null) return make('li', {}, named(example.text), ' ', link);
      const point = [example.latitude, example.longitude];
      const icon = L.divIcon({ className: '', iconSize: [20, 20], html: make('div', { class: 'bang run' }, '!') });
      const text = () => make('div', {}, named(example.text), make('div', {}, link && link.cloneNode(true)));
      L.marker(point, { icon, keyboard: false, alt: '' }).addTo(layers.runs).bindPopup(text);
      return make('li', {}, make('button', { type: 'button', onclick: () => map.setView(point, Math.max(map.getZoom(), 15)) }, named(example.text)), link);
    }

    async function loadRegions() {
      const answer = await ask('regions', '/api/regions');
      if (!answer) return;
      if (answer.error) { say(answer.error, true); return; }
      served = answer;
      generation = String(answer.generation);
      showRegions();
      showProfiles();
      showGround();
    }

    async function dataChanged() {
      await loadRegions();
      showNumbers();
      showRuns();
      await findRoutes(false);
      say('The data were replaced; the page shows the new data.');
    }

    function listenToPanel() {
      const setting = (id, event, name, value) => $(id).addEventListener(event, () => { state[name] = value($(id)); changed(); });
      $('profile-a').addEventListener('change', () => { state.profile = $('profile-a').value; state.set = []; showNumbers(); changed(); });
      setting('profile-b', 'change', 'compare', field => field.value);
      setting('max-sac', 'change', 'sac', field => field.value);
      setting('reach', 'change', 'reach', field => field.value);
      setting('avoid-steps', 'change', 'steps', field => field.checked);
      setting('alternatives', 'change', 'alternatives', field => field.checked);
      $('numbers').addEventListener('toggle', showNumbers);
      $('number-filter').addEventListener('input', filterNumbers);
      $('number-reset').addEventListener('click', () => { state.set = []; showNumbers(); changed(); });
      $('number-save').addEventListener('click', saveProfile);
      $('region-part').addEventListener('toggle', showRuns);
      $('why').addEventListener('toggle', () => $('why').open && routes.length && !explained && explain());
      $('reverse').addEventListener('click', reverse);
      $('clear').addEventListener('click', () => { state.points = [null, null]; changed(); });
      document.addEventListener('keydown', keyPressed);
      window.addEventListener('hashchange', () => { readAddress(); showProfiles(); showNumbers(); showMarkers(); showPoints(); findRoutes(false); showReach(); });
    }

    function reverse() { state.points.reverse(); changed(); }

    function keyPressed(event) {
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const centre = () => { const at = map.getCenter(); return [at.lat, at.lng]; };
      const does = {
        a: () => { state.points[0] = centre(); changed(); },
        b: () => { state.points[state.points.length - 1] = centre(); changed(); },
        v: () => { state.points.splice(-1, 0, centre()); changed(); },
        r: reverse,
        '/': () => $('query').focus(),
        Escape: () => { state.part = null; showPart(); writeAddress(); },
      }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!does) return;
      event.preventDefault();
      does();
    }

    async function start() {
      readAddress();
      makeMap();
      listenToPanel();
      listenToSearch();
      listenToChart();
      const hasView = !!state.view;
      await loadRegions();
      showMarkers();
      showPoints();
      await findRoutes(false);
      if (!hasView && routes.length) map.fitBounds(L.latLngBounds(routes[0].line).pad(0.1), { animate: false });
      showReach();
      document.body.dataset.ready = performance.now();
    }

    """#
}
