// The style sheet of every report: light and dark, screen and paper.
//
// Choice:  colours of Okabe and Ito, which colour-blind people can tell apart, darker on white and
//          lighter on black so that they keep a contrast of 3 : 1.
#include "report/style.h"

namespace semveil::report {

Markup style_sheet() {
  return R"css(
:root{color-scheme:light dark;--paper:#fff;--card:#f6f7f9;--ink:#1b2027;--soft:#566070;--line:#d9dee5;
--link:#0b5cad;--before:#0072b2;--after:#d55e00;--risk:#b0307a;--heat:#0072b2;--more:#d55e00;
--less:#0072b2;--track:#e8ebf0;--on:#fff;--warn:#fff6e5;--warn-line:#e0a400;--good:#00734f;--bad:#b3261e;
--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b0307a;--s4:#8a6d00;--s5:#56b4e9;--s6:#5b3fa8;--s7:#444b55}
@media (prefers-color-scheme:dark){:root{--paper:#14171c;--card:#1d2128;--ink:#e7eaef;--soft:#a4adba;
--line:#343b46;--link:#7db8f5;--before:#56b4e9;--after:#f0a03c;--risk:#e58bbf;--heat:#56b4e9;
--more:#f0a03c;--less:#56b4e9;--track:#2a303a;--on:#10131a;--warn:#2d2617;--warn-line:#b98a1f;--good:#4cc79b;
--bad:#ff8a80;--s0:#56b4e9;--s1:#f0a03c;--s2:#3fc79f;--s3:#e58bbf;--s4:#e8d44d;--s5:#9fd3f5;--s6:#b3a0ee;
--s7:#b9c0cb}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",
Roboto,"Noto Sans",Ubuntu,Cantarell,"Liberation Sans",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:68rem;margin:0 auto;padding:1.75rem 1.25rem 3rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .35rem;letter-spacing:-.01em}
h2{font-size:1.3rem;line-height:1.3;margin:2.6rem 0 .7rem;padding-top:1.1rem;border-top:1px solid var(--line)}
h3{font-size:1.02rem;margin:1.7rem 0 .5rem}
p{margin:.5rem 0 .8rem;max-width:46rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
th a,dt a,figcaption a{color:inherit;text-decoration:underline;text-decoration-style:dotted;
text-decoration-color:var(--soft);text-underline-offset:3px}
.soft,.edition{color:var(--soft)}
.edition{font-size:.85rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase;margin:0 0 .3rem}
nav{font-size:.9rem;margin:1.2rem 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1.1rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(13.5rem,1fr));gap:.9rem;margin:1.3rem 0 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem 1rem;
break-inside:avoid}
.tile b{display:block;font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.tile b.long{font-size:1.3rem;line-height:1.6}
.tile .name{font-size:.86rem;font-weight:600;color:var(--soft);margin:0 0 .25rem}
.tile p{font-size:.88rem;line-height:1.45;margin:.4rem 0 0}
.tile .than{font-size:.88rem;margin:.1rem 0 0}
.verdict{border:1px solid var(--line);border-left:6px solid var(--soft);border-radius:10px;
padding:.9rem 1.2rem 1rem;margin:1.1rem 0 0;background:var(--card)}
.verdict.is-against{border-color:var(--bad)}.verdict.is-to-weigh{border-color:var(--warn-line)}
.verdict h2,.sign h2{border:0;margin:0;padding:0;font-size:.86rem;font-weight:600;color:var(--soft)}
.headline{font-size:1.35rem;line-height:1.3;font-weight:700;margin:.1rem 0 .2rem;max-width:none}
.is-against .headline{color:var(--bad)}
.findings h3{margin:1rem 0 .25rem}
.findings ul{margin:0;padding:0;list-style:none}
.findings li{margin:.45rem 0 0;padding-left:1.6rem;position:relative;max-width:58rem;break-inside:avoid}
.findings li::before{position:absolute;left:.1rem;content:"·";font-weight:700}
.danger li::before{content:"✗";color:var(--bad)}.danger h3{color:var(--bad)}
.warning li::before{content:"!";color:var(--warn-line)}
.promise li::before{content:"✓";color:var(--good)}
.limit li::before{content:"–";color:var(--soft)}
.note li,.limit li{font-size:.92em}
.source{font-size:.84em;color:var(--soft)}.source a{color:inherit;text-decoration:underline;
text-decoration-style:dotted;text-underline-offset:3px}
.do{display:block;font-size:.9em;color:var(--soft)}
.sign{border:1px solid var(--line);border-radius:10px;padding:.9rem 1.2rem 1.2rem;margin:1.1rem 0 0;
break-inside:avoid}
.sign p{font-size:.92rem}.sign dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.2rem;margin:.6rem 0 0;
font-size:.88rem}
.sign dt{color:var(--soft)}.sign dd{margin:0;min-width:0}
.lines{display:grid;grid-template-columns:1fr 1fr;gap:0 1.6rem}
.lines p{margin:2.3rem 0 0;border-top:1px solid var(--ink);font-size:.82rem;color:var(--soft);max-width:none;
padding-top:.2rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.6rem 0 1.1rem;
font-variant-numeric:tabular-nums}
th,td{padding:.42rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);
overflow-wrap:break-word}
th{font-weight:600;color:var(--soft);font-size:.84rem;vertical-align:bottom;overflow-wrap:break-word}
thead th{border-bottom:2px solid var(--line)}
.r{text-align:right}
td.r{white-space:nowrap}
tbody tr:hover{background:var(--card)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(27rem,100%),1fr));gap:1rem;
margin:.8rem 0 1.1rem;align-items:start}
figure{margin:0;padding:.8rem .9rem .7rem;background:var(--card);border:1px solid var(--line);border-radius:10px;
break-inside:avoid;max-width:31rem;min-width:0}
figcaption{font-size:.9rem;font-weight:600;margin:0 0 .5rem}
figure .note{font-size:.82rem;color:var(--soft);margin:.35rem 0 0;font-weight:400}
figure table{font-size:.82rem;margin:.4rem 0 0}
svg{display:block;width:100%;height:auto}
details{font-size:.86rem;margin:.4rem 0 0}summary{cursor:pointer;color:var(--link)}
.t{font-size:11px;fill:var(--ink)}.small{font-size:10.5px}.strong{font-weight:700}
.t.on{fill:var(--on)}
.before{fill:var(--before)}.after{fill:var(--after)}.risk{fill:var(--risk)}.heat{fill:var(--heat)}
.more{fill:var(--more)}.less{fill:var(--less)}.track{fill:var(--track)}
.axis{stroke:var(--soft);stroke-width:1}.grid{stroke:var(--line);stroke-width:1}
.branch{stroke:var(--before);stroke-width:1.5;stroke-linecap:round}
.whisker{stroke:var(--ink);stroke-width:1.5}.reference{stroke:var(--ink);stroke-width:2;stroke-dasharray:3 2}
.dashed{stroke:var(--soft);stroke-width:1.8;stroke-dasharray:5 4}
.curve{fill:none;stroke-width:1.8}.theirs{stroke-dasharray:5 4;stroke-width:1.4}.front{stroke-width:1.4}
.s0{stroke:var(--s0);fill:var(--s0)}.s1{stroke:var(--s1);fill:var(--s1)}.s2{stroke:var(--s2);fill:var(--s2)}
.s3{stroke:var(--s3);fill:var(--s3)}.s4{stroke:var(--s4);fill:var(--s4)}.s5{stroke:var(--s5);fill:var(--s5)}
.s6{stroke:var(--s6);fill:var(--s6)}.s7{stroke:var(--s7);fill:var(--s7)}
polyline.curve{fill:none}.mark{stroke-width:1.4}.mark.hollow{fill:var(--card)}
.mark.other{fill:var(--soft);stroke:var(--soft);fill-opacity:.45}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;font-size:.84rem;
white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 1rem}
code,.hash{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.92em}
.hash{overflow-wrap:anywhere}
dl.words{margin:0}dl.words>div{padding:.65rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
dl.words dt{font-weight:600}dl.words dd{margin:.1rem 0 0;max-width:52rem}
dl.words .formula{font-family:Cambria,"STIX Two Text","DejaVu Serif",serif}
dl.words .more-words{font-size:.86rem;color:var(--soft)}
.yes{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}
footer{margin-top:2.5rem;padding-top:.9rem;border-top:1px solid var(--line);font-size:.84rem;color:var(--soft)}
@media screen and (max-width:44rem){
main{padding:1.1rem .8rem 2rem}figure{padding:.7rem .35rem .6rem}h1{font-size:1.4rem}h2{font-size:1.18rem;margin-top:2rem}
.tiles{grid-template-columns:1fr 1fr;gap:.6rem}.tile{padding:.7rem .75rem}.tile b{font-size:1.35rem}
table.stack thead{display:none}
table.stack,table.stack tbody,table.stack tr,table.stack td{display:block;width:100%}
table.stack tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
table.stack td{display:flex;justify-content:space-between;gap:1rem;padding:.12rem 0;border:0;text-align:right}
table.stack td::before{content:attr(data-label);color:var(--soft);text-align:left;flex:0 1 auto}
table.stack td>span{flex:0 1 auto;min-width:0}
table.stack td:first-child{font-weight:600;text-align:left;padding-bottom:.25rem}
table.stack td:first-child::before{content:none}
td.r{white-space:normal}
}
@media screen and (max-width:44rem){.headline{font-size:1.15rem}.sign dl{grid-template-columns:1fr;gap:.1rem}
.verdict,.sign{padding:.8rem .9rem 1rem}}
@media screen and (max-width:24rem){.lines{grid-template-columns:1fr}.tiles{grid-template-columns:1fr}}
@media print{
:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--link:#000;--before:#0072b2;
--after:#d55e00;--risk:#b0307a;--heat:#0072b2;--more:#d55e00;--less:#0072b2;--track:#e8ebf0;--on:#fff;
--warn:#fff;--warn-line:#000;--good:#00734f;--bad:#b3261e;--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b0307a;
--s4:#8a6d00;--s5:#56b4e9;--s6:#5b3fa8;--s7:#444b55}
@page{margin:16mm 14mm}
body{font-size:10pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{max-width:none;padding:0}
nav{display:none}h2,h3{break-after:avoid}tr,figure,.tile,.sign,pre{break-inside:avoid}
.findings h3,.headline{break-after:avoid}
.plots{grid-template-columns:1fr 1fr}.tiles{grid-template-columns:1fr 1fr}
table{font-size:8.5pt}thead{display:table-header-group}
figure details{display:none}details::details-content{content-visibility:visible;display:block;height:auto}
summary{list-style:none;color:#444}
}
)css";
}

}  // namespace semveil::report
