// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The page's script: one function around its parts, which share their names.
  static let javaScript =
    "(function () {\n'use strict';\n" + stateScript + mapScript + routeScript + chartScript
    + panelScript + "start();\n})();\n"

  /// The state, fully contained in the address, and common parts.
  private static let stateScript = #"""
    const $ = id => document.getElementById(id);
    // points: start, via points, end; a start or an end that is not chosen yet is null.
    const state = { points: [null, null], profile: '', compare: '', set: [], sac: '', steps: false,
      alternatives: false, reach: '', part: null, view: null };
    let served = { regions: [], profiles: [], attributions: [] };
    let generation = '';

    // Text from the data, as text: nothing in it can end a line or turn the direction of what follows.
    function plain(text) {
      return String(text).replace(/[\u0000-\u001f\u007f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
    }

    // An element with children, which are elements or texts.
    function make(tag, attributes, ...children) {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, '');
        else if (value !== false && value != null) element.setAttribute(name, value);
      }
      element.append(...children.filter(child => child != null)
        .map(child => typeof child === 'object' ? child : plain(child)));
      return element;
    }

    const named = text => make('bdi', {}, text);
    const escaped = text => plain(text).replace(/[&<>"']/g, mark => '&#' + mark.charCodeAt(0) + ';');

    // A message as a sentence begins with a capital letter; names and keys in front are quoted.
    function say(text, isBad) {
      $('message').textContent = plain(text).replace(/^[a-z]/, letter => letter.toUpperCase());
      $('message').classList.toggle('bad', !!isBad);
    }

    const length = metres => metres < 1000 ? Math.round(metres) + ' m' : (metres / 1000).toFixed(metres < 1e5 ? 1 : 0) + ' km';
    const grouped = value => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
    const metres = value => value == null ? '–' : grouped(value) + ' m';
    const pointText = point => point.map(value => value.toFixed(5)).join(',');

    function time(seconds) {
      const minutes = Math.round(seconds / 60);
      return minutes < 60 ? minutes + ' min' : Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
    }

    // As on a signpost, and as cairn route says it; null for ends that are the same then.
    function timeRange(low, high) {
      const step = high < 7200 ? 5 : 10, ends = [low, high].map(seconds => Math.round(seconds / 60 / step) * step);
      if (!(ends[0] > 0 && ends[0] < ends[1])) return null;
      if (ends[1] < 60) return ends[0] + ' to ' + ends[1] + ' min';
      return ends.map(minutes => minutes < 60 ? minutes + ' min'
        : Math.floor(minutes / 60) + ' h' + (minutes % 60 ? ' ' + String(minutes % 60).padStart(2, '0') : '')).join(' to ');
    }

    // Asks the server; an answer that a later question of the same kind has overtaken is dropped.
    const asking = {};
    async function ask(kind, path, query) {
      if (asking[kind]) asking[kind].abort();
      const controller = asking[kind] = new AbortController();
      try {
        const answer = await fetch(path + (query ? '?' + query : ''), { signal: controller.signal });
        const now = answer.headers.get('Cairn-Generation');
        const json = await answer.json();
        if (now && generation && now !== generation) {
          generation = now;
          setTimeout(dataChanged);
        }
        return json;
      } catch (error) {
        if (error.name === 'AbortError') return null;
        return { error: 'the server does not answer; is cairn serve still running?' };
      } finally {
        if (asking[kind] === controller) delete asking[kind];
      }
    }

    function choiceQuery(profile, query) {
      if (profile) query.append('profile', profile);
      if (profile === state.profile) for (const item of state.set) query.append('set', item.join('='));
      return query;
    }

    // What a route is asked for by; nil as long as a point is missing.
    function routeQuery(profile) {
      if (state.points.some(point => !point)) return null;
      const query = new URLSearchParams();
      state.points.forEach((point, index) => query.append(
        index === 0 ? 'from' : index === state.points.length - 1 ? 'to' : 'via', pointText(point)));
      choiceQuery(profile, query);
      if (state.sac) query.append('max-sac', state.sac);
      if (state.steps) query.append('avoid-steps', '1');
      return query;
    }

    function writeAddress() {
      const query = new URLSearchParams();
      if (state.points.some(Boolean)) query.set('points', state.points.map(point => point ? pointText(point) : '').join(';'));
      for (const name of ['profile', 'compare', 'sac', 'reach']) if (state[name]) query.set(name, state[name]);
      for (const item of state.set) query.append('set', item.join('='));
      for (const name of ['steps', 'alternatives']) if (state[name]) query.set(name, '1');
      if (state.part) query.set('part', state.part.map(Math.round).join('-'));
      if (state.view) query.set('map', state.view);
      const address = '#' + query.toString().replace(/%2C/g, ',').replace(/%3B/g, ';').replace(/%2F/g, '/');
      if (address !== location.hash) history.replaceState(null, '', address);
    }

    function readAddress() {
      const query = new URLSearchParams(location.hash.slice(1));
      const points = (query.get('points') || ';').split(';').slice(0, 50).map(text => {
        const point = text.split(',').map(Number);
        return text && point.length === 2 && Math.abs(point[0]) <= 90 && Math.abs(point[1]) <= 180 ? point : null;
      });
      const ends = [points[0], points.length > 1 ? points[points.length - 1] : null];
      state.points = [ends[0], ...points.slice(1, -1).filter(Boolean), ends[1]];
      for (const name of ['profile', 'compare', 'sac', 'reach']) state[name] = query.get(name) || '';
      state.set = query.getAll('set').map(text => text.split('=')).filter(item => item.length === 2);
      for (const name of ['steps', 'alternatives']) state[name] = query.get(name) === '1';
      const part = (query.get('part') || '').split('-').map(Number);
      state.part = part.length === 2 && part[0] < part[1] ? part : null;
      state.view = query.get('map');
    }

    """#
}
