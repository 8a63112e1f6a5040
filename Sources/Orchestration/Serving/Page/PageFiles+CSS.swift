// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  /// The style of the page. The colours of routes are Okabe and Ito's, distinct for colour-blind
  /// people; lines also differ in their pattern.
  static let css = #"""
    :root{color-scheme:light dark;--paper:#f6f6f3;--card:#fff;--ink:#20262b;--soft:#5a646c;
    --line:#d5d9d7;--accent:#005a8f;--a:#0072b2;--b:#c24e00;--other:#6b5b95;--warn:#a3301a;--caution:#8a5a00;
    --road:#a49c90;--track:#8f7348;--path:#3d6b46;--outline:#fff;--ground:#e9ebe4}
    @media (prefers-color-scheme:dark){:root{--paper:#14181b;--card:#1d2327;--ink:#e8ebec;--soft:#a3adb4;
    --line:#3a434a;--accent:#7cc4f0;--a:#56b4e9;--b:#f0a030;--other:#c3a6f0;--warn:#ff9a80;--caution:#f0c060;
    --road:#7d848a;--track:#b09468;--path:#86c594;--outline:#101316;--ground:#20262a}}
    *{box-sizing:border-box}
    html,body{height:100%}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:15px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans','DejaVu Sans',sans-serif}
    main{display:grid;grid-template-columns:390px minmax(0,1fr);height:100vh}
    #panel{grid-column:1;grid-row:1;overflow-y:auto;padding:14px 16px 40px;border-right:1px solid var(--line)}
    #stage{grid-column:2;grid-row:1;display:flex;flex-direction:column;min-width:0;min-height:0;position:relative}
    #map{flex:1;min-height:0;background:var(--ground);font:inherit;outline-offset:-3px}
    #map:focus-visible::after{content:'+';position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);z-index:1000;
    font-size:34px;line-height:1;pointer-events:none}
    h1{font-size:1.15rem;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}
    h2{font-size:.95rem;margin:14px 0 4px}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    #panel section,#panel details{margin-top:12px}
    .soft{color:var(--soft)}
    .row{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:8px 0}
    .wide{flex:1 1 150px}
    label select{max-width:100%}
    .wide select{width:100%;display:block}
    input,select,button,.row a{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);
    border-radius:7px;padding:5px 9px;min-height:34px}
    input[type=checkbox]{min-height:0;width:17px;height:17px;vertical-align:-3px;accent-color:var(--accent)}
    button,.row a{cursor:pointer;text-decoration:none}.row a{display:inline-flex;align-items:center}
    button:hover,.row a:hover{border-color:var(--accent)}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:1px}
    #query{width:100%}
    #searching{position:relative;margin:0}
    #found{position:absolute;z-index:1200;left:0;right:0;margin:2px 0 0;padding:4px;list-style:none;max-height:340px;
    overflow-y:auto;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 6px 22px rgba(0,0,0,.35)}
    #found li{padding:6px 8px;border-radius:6px;cursor:pointer;overflow-wrap:anywhere}
    #found li[aria-selected=true],#found li:hover{background:var(--accent);color:var(--card)}
    #found small{display:block;opacity:.8}
    #message{margin:8px 0 0;overflow-wrap:anywhere}
    #message.bad{color:var(--warn);font-weight:600}
    #points{list-style:none;margin:0;padding:0;display:grid;gap:5px}
    #points li{display:grid;grid-template-columns:26px minmax(0,1fr) auto;gap:8px;align-items:center}
    #points span{overflow-wrap:anywhere;line-height:1.25}
    #points button{padding:0;width:32px}
    .pin{display:grid;place-items:center;width:26px;height:26px;border-radius:50%;background:var(--ink);
    color:var(--paper);font-weight:700;font-size:13px;border:2px solid var(--outline);box-shadow:0 1px 5px rgba(0,0,0,.45)}
    .pin.ghost{background:var(--outline);border-color:var(--a);width:16px;height:16px}
    .bang{display:grid;place-items:center;width:20px;height:20px;border-radius:4px;background:var(--caution);
    color:var(--card);font-weight:800;font-size:13px;border:1px solid var(--outline)}
    .bang.notice{background:var(--soft)}
    .bang.danger{background:var(--warn);border-radius:50%}
    .bang.run{background:var(--other);border-radius:50% 50% 50% 0}
    #figures{display:grid;grid-template-columns:1fr;gap:8px}
    .figures{display:grid;grid-template-columns:repeat(4,auto);gap:1px;margin:0;border:1px solid var(--line);
    border-left:6px solid var(--a);border-radius:9px;background:var(--card);padding:6px 4px}
    .figures.b{border-left:6px dashed var(--b)}.figures.other{border-left:6px dotted var(--other)}
    .figures h3{grid-column:1/-1;margin:0 5px 2px;font-size:.85rem;font-weight:600;overflow-wrap:anywhere}
    .figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:0 5px}
    .figures dt{font-size:.76rem;color:var(--soft)}
    .figures dd{margin:0;font-weight:650;font-size:.95em;font-variant-numeric:tabular-nums}
    .figures h3,.figures p{width:0;min-width:calc(100% - 10px)}
    .figures p{grid-column:1/-1;margin:2px 5px 0;font-size:.8rem;color:var(--soft)}
    #warnings,#regions{list-style:none;margin:0;padding:0}
    #warnings li{border-left:4px solid var(--caution);padding:2px 8px;margin:5px 0;overflow-wrap:anywhere}
    #warnings li.notice{border-color:var(--soft)}#warnings li.danger{border-color:var(--warn)}
    #runs h3{font-size:.9rem;margin:8px 0 2px}#runs ul{padding-left:1.2em;margin:4px 0}#runs li{overflow-wrap:anywhere}
    #panel #runs details{margin-top:4px;padding-top:4px}#runs summary{font-weight:400}
    #runs button,#regions button,#warnings button,#instructions button,#why-list button{all:unset;cursor:pointer;display:block}
    #runs button:focus-visible,#regions button:focus-visible,#warnings button:focus-visible,#instructions button:focus-visible,#why-list button:focus-visible{outline:3px solid var(--accent)}
    #runs button:hover,#regions button:hover,#warnings button:hover,#instructions button:hover,#why-list button:hover{text-decoration:underline}
    #regions li{margin:6px 0;overflow-wrap:anywhere}
    ol{padding-left:1.7em;margin:6px 0}
    #instructions li,#why-list li{margin:3px 0;overflow-wrap:anywhere}
    details{border-top:1px solid var(--line);padding-top:8px}
    summary{cursor:pointer;font-weight:600}
    .keys{display:grid;grid-template-columns:auto 1fr;gap:2px 12px;margin:8px 0}
    .keys dt{font-weight:600}.keys dd{margin:0}
    #number-list fieldset{border:0;margin:10px 0;padding:0;min-width:0}
    #number-list legend{font-weight:600;padding:0}
    #number-list legend small{display:block;font-weight:400;color:var(--soft)}
    #number-list label{display:grid;grid-template-columns:minmax(0,1fr) 112px;gap:8px;align-items:center;margin:3px 0;
    overflow-wrap:anywhere}
    #number-list input{padding:3px 7px;min-height:30px;width:100%;text-align:right}
    #number-list input.changed{border-color:var(--b);border-width:2px;font-weight:650}
    #number-list input[aria-invalid=true]{border-color:var(--warn);color:var(--warn)}
    #chart{margin:0;background:var(--card);border-top:1px solid var(--line);padding:4px 10px 6px;position:relative}
    #profile-chart{display:block;width:100%;height:150px;touch-action:none;cursor:crosshair;user-select:none}
    #chart text{fill:var(--soft);font-size:11px}
    #chart .grid{stroke:var(--line);stroke-width:1}
    #chart .area{fill:var(--a);opacity:.18}
    #chart .curve{fill:none;stroke:var(--a);stroke-width:2}
    #chart .curve.b{stroke:var(--b);stroke-dasharray:7 4}
    #chart .selected{fill:var(--accent);opacity:.2}
    #chart .cursor{stroke:var(--ink);stroke-width:1.5}
    #chart .band{fill:var(--caution)}#chart .band.notice{fill:var(--soft)}#chart .band.danger{fill:var(--warn)}
    #part{min-height:1.45em;font-size:.88rem;font-variant-numeric:tabular-nums}
    .leaflet-container{font:inherit;background:var(--ground)}
    .leaflet-container a{color:var(--accent)}
    .leaflet-bar a,.leaflet-bar a:hover{background:var(--card);color:var(--ink);border-color:var(--line)}
    .leaflet-bar a.leaflet-disabled{background:var(--paper);color:var(--soft)}
    .leaflet-control-attribution,.leaflet-control-scale-line{background:var(--card)!important;color:var(--ink)}
    .leaflet-tooltip{background:var(--card);color:var(--ink);border-color:var(--line);white-space:normal;max-width:300px;
    width:max-content}
    .leaflet-tooltip-top::before{border-top-color:var(--card)}
    .leaflet-popup-content-wrapper,.leaflet-popup-tip{background:var(--card);color:var(--ink)}
    .relief .leaflet-tile{width:256.6px!important;height:256.6px!important}
    @media (prefers-color-scheme:dark){.relief{filter:brightness(.6)}}
    .casing{stroke:var(--outline);stroke-width:9;stroke-opacity:.85;fill:none;stroke-linejoin:round}
    .line{stroke-width:5;fill:none;stroke-linejoin:round}
    .line.a{stroke:var(--a)}.line.b{stroke:var(--b);stroke-dasharray:9 9;stroke-linecap:butt}
    .line.other{stroke:var(--other);stroke-dasharray:3 8}
    .line.warning{stroke:var(--caution);stroke-width:9;stroke-opacity:.75}
    .line.notice{stroke:var(--soft)}
    .line.danger{stroke:var(--warn)}
    .line.part{stroke:var(--ink);stroke-width:3}
    .name span{position:absolute;transform:translate(-50%,-170%);white-space:nowrap;font-size:12px;line-height:1;
    text-shadow:0 0 2px var(--ground),0 0 2px var(--ground),0 0 3px var(--ground),0 0 4px var(--ground)}
    .name{pointer-events:none}.name.settlement{font-weight:700}.name.peak,.name.saddle{font-style:italic}
    .name.lake{color:var(--accent);font-style:italic}
    .here{fill:var(--outline);fill-opacity:1;stroke:var(--ink);stroke-width:3}
    .box{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 6}
    .reach{stroke:none;fill:var(--a);fill-opacity:.2}
    @media (max-width:800px){
    main{display:block;height:auto}
    #stage{position:sticky;top:0;z-index:900;height:58vh}
    #panel{border:0;background:var(--paper);position:relative;z-index:0}
    #profile-chart{height:92px}
    #chart{padding:2px 6px}
    input,select,button,.row a{min-height:40px}
    #points button{width:40px}
    .leaflet-control-attribution{font-size:10px}
    }
    """#
}
