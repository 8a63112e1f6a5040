// SPDX-License-Identifier: Apache-2.0

extension ReportPage {
  /// The page's style: colours by name, for light, dark and paper, and the layout.
  ///
  /// The colours of the two profiles are Okabe and Ito's, distinct for colour-blind people; lines
  /// and bars also differ in their pattern.
  static let baseStyle = #"""
    :root{color-scheme:light dark;--paper:#f6f6f3;--card:#fff;--ink:#20262b;--soft:#5a646c;
    --line:#dcdfdd;--accent:#005a8f;--base:#0072b2;--candidate:#c24e00;--good:#00694d;--bad:#a3301a;
    --shade:1;--hatch:rgba(255,255,255,.55)}
    @media (prefers-color-scheme:dark){:root{--paper:#14181b;--card:#1d2327;--ink:#e8ebec;
    --soft:#a3adb4;--line:#353d43;--accent:#7cc4f0;--base:#56b4e9;--candidate:#f0a030;--good:#4fd0a5;
    --bad:#ff9a80;--shade:.42;--hatch:rgba(20,24,27,.6)}}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth;scroll-padding-top:1rem}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans','DejaVu Sans',sans-serif}
    header,main,footer{max-width:1160px;margin:0 auto;padding:0 20px}
    header{padding-top:28px}
    .brand{margin:0;color:var(--accent);font-weight:700;letter-spacing:.08em;text-transform:uppercase;
    font-size:.78rem}
    h1{margin:.1em 0;font-size:clamp(1.5rem,4.5vw,2.2rem);line-height:1.15;overflow-wrap:anywhere}
    .subtitle{margin:0 0 14px;color:var(--soft);overflow-wrap:anywhere}
    nav{display:flex;flex-wrap:wrap;gap:6px;padding-bottom:10px;border-bottom:1px solid var(--line)}
    nav a{padding:4px 10px;border-radius:99px;background:var(--card);border:1px solid var(--line);
    text-decoration:none;font-size:.86rem}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
    .skip{position:absolute;left:-999px}
    .skip:focus{left:8px;top:8px;background:var(--card);padding:8px;z-index:2000}
    section{margin:26px 0}
    h2{font-size:1.25rem;margin:0 0 10px}
    h3{font-size:1rem;margin:0 0 6px;overflow-wrap:anywhere}
    .card,.scroll,.tiles div{background:var(--card);border:1px solid var(--line);border-radius:10px}
    .card{padding:14px 16px}:not(.grid)>.card+.card{margin-top:14px}
    .grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:14px}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:18px 0}
    .tiles div{padding:12px 14px;display:flex;flex-direction:column-reverse;
    justify-content:flex-end}
    .tiles dt{color:var(--soft);font-size:.82rem;line-height:1.3}
    .tiles dd{margin:0;font-size:1.45rem;font-weight:650;line-height:1.2;overflow-wrap:anywhere}
    .verdict{display:inline-flex;gap:8px;align-items:center;margin:16px 0 0;padding:6px 14px;
    border-radius:99px;border:2px solid currentColor;font-weight:650}
    .good{color:var(--good)}.bad{color:var(--bad)}.soft{color:var(--soft)}
    .note{color:var(--soft);margin:6px 0 10px;max-width:75ch}
    .scroll{overflow-x:auto;margin:0 0 14px;background:linear-gradient(90deg,var(--card) 30px,transparent) local,
    linear-gradient(270deg,var(--card) 30px,transparent) 100% 0/60px local no-repeat,
    linear-gradient(90deg,var(--line),transparent) 0 0/14px no-repeat,
    linear-gradient(270deg,var(--line),transparent) 100% 0/14px no-repeat,var(--card)}
    .card+.scroll{margin-top:14px}
    table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
    caption{text-align:left;padding:10px 10px 4px;color:var(--soft);font-size:.82rem}
    th,td{padding:7px 10px;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
    thead th{border-top:0;font-size:.78rem;color:var(--soft);font-weight:600}
    tbody th{font-weight:600}
    .number{text-align:right;white-space:nowrap}
    td ul{margin:0;padding-left:1.1em}
    pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.82rem;margin:6px 0 0}
    .legend{display:flex;flex-wrap:wrap;gap:6px 18px;list-style:none;margin:0 0 10px;padding:0;
    font-size:.86rem}
    .legend li{display:flex;align-items:center;gap:7px}
    .legend svg{width:34px;height:12px;flex:none}
    footer p{color:var(--soft);font-size:.82rem;padding:14px 0 40px;margin:30px 0 0;
    border-top:1px solid var(--line)}
    .explorer{display:grid;grid-template-columns:minmax(0,330px) minmax(0,1fr);gap:14px;
    align-items:stretch}
    .routes{display:flex;flex-direction:column;gap:6px;max-height:500px;overflow-y:auto;padding:3px}
    .routes button{font:inherit;color:inherit;text-align:left;background:var(--card);cursor:pointer;
    border:1px solid var(--line);border-left:5px solid var(--line);border-radius:8px;
    padding:7px 11px;overflow-wrap:anywhere}
    .routes button:hover{border-color:var(--accent)}
    .routes button[aria-pressed=true]{border-color:var(--accent);border-left-color:var(--accent);
    box-shadow:0 0 0 1px var(--accent)}
    .routes b{display:block;font-weight:600;line-height:1.3}
    .routes span{color:var(--soft);font-size:.82rem}
    .maps{min-width:0}
    .map{width:100%;height:500px;border:1px solid var(--line);border-radius:10px;overflow:hidden;
    background:var(--card);display:block}
    .detail{margin-top:14px}
    .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:18px}
    .pair figure{margin:0;min-width:0}
    .pair figcaption{font-size:.92rem;margin-bottom:4px}
    .pair ul{margin:6px 0 0;padding-left:1.2em;font-size:.86rem}
    .js .detail[hidden],.js .map[hidden]{display:none}
    @media (max-width:760px){header,main,footer{padding-left:12px;padding-right:12px}
    .explorer{grid-template-columns:minmax(0,1fr)}.maps{order:-1}.map{height:340px}
    .routes{max-height:300px}th,td{padding:6px 10px}.card{padding:12px}}
    @media (max-width:560px){table,caption,tbody,tr,tbody th,td{display:block}
    thead{position:absolute;left:-9999px}tr{border-top:1px solid var(--line);padding:8px 0}
    tbody th,td{border:0;padding:2px 12px}tbody th{font-size:1rem}
    td{display:flex;justify-content:space-between;gap:16px;text-align:right}
    td::before{content:attr(data-head);color:var(--soft);text-align:left;flex:none;max-width:45%}
    td:has(ul){display:block;text-align:left}td:empty{display:none}.number{white-space:normal}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @media print{:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--accent:#003f66;
    --base:#0072b2;--candidate:#c24e00;--good:#00503a;--bad:#8a2010;--shade:1}
    body{font-size:10.5pt}nav,.skip,.routes,.leaflet-control-container{display:none}
    .explorer{display:block}.card,tr,figure,.map{break-inside:avoid}.scroll{overflow:visible}
    .js .detail[hidden]{display:block}a{text-decoration:none}section{margin:16px 0}}
    """#

  /// The look of charts and maps.
  static let chartStyle = #"""
    .chart{display:block;width:100%;height:auto;max-width:520px;font-size:12px;overflow:visible}
    .chart.gantt{max-width:none;min-width:640px}
    .chart text{fill:var(--soft)}.chart .value{fill:var(--ink)}
    .chart .grid{stroke:var(--line);fill:none;display:inline}
    .chart .axis{stroke:var(--soft);fill:none}
    .chart .bar{fill:var(--accent)}.chart .bar.same{fill:var(--soft)}
    .chart .bar.base{fill:var(--base)}
    .chart .bar.candidate{fill:var(--card);stroke:var(--candidate);stroke-width:2.5;
    stroke-dasharray:5 2.5}
    .chart .curve{fill:none;stroke-width:2;stroke-linejoin:round}
    .base .curve{stroke:var(--base)}.base .area{fill:var(--base);opacity:.18}
    .candidate .curve{stroke:var(--candidate);stroke-dasharray:7 3}
    .candidate .area{fill:var(--candidate);opacity:.18}
    .gantt rect{stroke:var(--card);stroke-width:1}
    .gantt g text{fill:#10161a;font-weight:600;font-size:11.5px}
    .work0 rect{fill:#e69f00}.work1 rect{fill:#56b4e9}.work2 rect{fill:#2db28d}
    .work3 rect{fill:#f0e442}.work4 rect{fill:#7fb2dd}.work5 rect{fill:#ee8a4f}
    .work6 rect{fill:#d99abf}.work7 rect{fill:#b9c0c4}
    .scroll>.chart{margin:14px;width:calc(100% - 28px)}
    svg.key path{fill:none;stroke-width:4}
    .key .base,path.base{stroke:var(--base)}
    .key .candidate,path.candidate{stroke:var(--candidate);stroke-dasharray:9 6}
    .map image,.map img.relief{filter:brightness(var(--shade))}
    .map path{fill:none;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}
    .map .roads{stroke:var(--soft);stroke-width:1;opacity:.45}
    .map .trails{stroke:var(--ink);stroke-width:1;opacity:.5;stroke-dasharray:4 3}
    .map text{text-anchor:middle;paint-order:stroke;stroke:var(--card);
    fill:var(--ink);stroke-linejoin:round}
    .map text.peak,.map text.saddle,.name.peak,.name.saddle{font-style:italic}
    .map text.settlement,.name.settlement{font-weight:700}
    .map text.lake,.name.lake{fill:var(--base);color:var(--base);font-style:italic}
    .map text.crowded,.name.crowded{display:none}
    .name{width:auto!important;height:auto!important;margin:0!important;background:none;border:0;
    white-space:nowrap;font-size:12px;line-height:1;color:var(--ink);
    text-shadow:0 0 3px var(--card),0 0 3px var(--card),0 0 3px var(--card),0 0 3px var(--card)}
    .name span{display:block;transform:translate(-50%,-50%)}
    .map .names{pointer-events:none}
    .map.regions{height:auto;max-height:520px;margin-bottom:14px}
    .regions rect{vector-effect:non-scaling-stroke;stroke-width:2;fill-opacity:.12}
    .regions .built rect{stroke:var(--good);fill:var(--good)}
    .regions .cached rect{stroke:var(--accent);fill:var(--accent);fill-opacity:.05}
    .regions .failed rect{stroke:var(--bad);fill:var(--bad);stroke-dasharray:8 5}
    .regions .narrow{display:none}
    .regions .title{font-weight:700;font-size:1.2em}
    @media (max-width:760px){.regions .narrow{display:inline}.regions .wide{display:none}}
    .map .casing{stroke:var(--card);stroke-width:8;opacity:0}
    .map path.base,.map path.candidate{stroke-width:3;opacity:.38;cursor:pointer}
    .map .selected path.base,.map path.base.selected{stroke-width:5;opacity:1}
    .map .selected path.candidate,.map path.candidate.selected{stroke-width:4.5;opacity:1}
    .map .selected .casing,.map path.casing.selected{opacity:.85}
    .map .has-selection .route:not(.selected) path{opacity:.18}
    .map .route:focus-visible path{opacity:1}
    .leaflet-container{background:var(--card)!important;font:inherit!important}
    .leaflet-bar a{background:var(--card)!important;color:var(--ink)!important;
    border-color:var(--line)!important}
    .leaflet-container .leaflet-control-attribution{background:var(--card)!important;
    color:var(--soft)!important;font-size:11px}
    .pin{background:var(--ink);color:var(--paper);border:2px solid var(--paper);border-radius:50%;
    width:24px!important;height:24px!important;margin:-12px 0 0 -12px!important;display:flex;
    align-items:center;justify-content:center;font-size:12px;font-weight:700}
    """#
}
