const verdictAndBanners = `
.verdict{display:flex;gap:1.1rem;align-items:flex-start;padding:1.4rem 1.5rem;border-radius:12px;border:1px solid currentColor;margin-bottom:1.25rem}
.verdict p{margin:0;color:var(--ink)}
.verdict .verdict-line{font:600 1.4rem/1.25 var(--serif);margin-bottom:.35rem;color:inherit}
.icon{flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.verdict.critical{color:var(--critical);background:var(--critical-tint)}
.verdict.high{color:var(--high);background:var(--high-tint)}
.verdict.medium,.verdict.incomplete{color:var(--medium);background:var(--medium-tint)}
.verdict.low{color:var(--low);background:var(--low-tint)}
.verdict.info{color:var(--info);background:var(--info-tint)}
.verdict.clean{color:var(--clean);background:var(--clean-tint)}
.banner{border:1px solid var(--line);border-left:6px solid var(--medium);border-radius:8px;padding:1.1rem 1.4rem;margin-bottom:1.25rem;background:var(--card)}
.banner.incomplete{background:var(--medium-tint);border-color:var(--medium)}
.banner.left-behind{background:var(--critical-tint);border-color:var(--critical)}
.banner-title{font-weight:700;font-size:1.1rem}
.banner>:last-child{margin-bottom:0}
.banner ul{padding-left:1.2rem}
.gap,.cut{color:var(--medium)}`;

const summary = `
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1rem 2.5rem;margin:1.75rem 0;align-items:end}
.picture{margin:0}
.picture svg{display:block;width:100%;max-width:26rem;height:auto}
figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
svg text{font-family:var(--sans);font-size:13px;fill:var(--ink)}
svg .label{fill:var(--soft)}
svg .number{font-weight:600;font-variant-numeric:tabular-nums}
svg .small{font-size:11px}
.track{fill:var(--info-tint)}
.fill.critical{fill:var(--critical)}.fill.high{fill:var(--high)}.fill.medium{fill:var(--medium)}.fill.low{fill:var(--low)}.fill.info,.fill.unrated{fill:var(--info)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,10rem),1fr));gap:1rem 1.5rem;margin:0 0 1rem;padding-top:1rem;border-top:1px solid var(--line)}
dt{font-size:.85rem;color:var(--soft)}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
dd .url,dd .id{font-weight:400;color:inherit}
.fixes{list-style:none;counter-reset:fix;margin:0;padding:0}
.fixes>li{counter-increment:fix;position:relative;padding:1rem 0 .6rem 3.25rem;border-top:1px solid var(--line)}
.fixes>li::before{content:counter(fix);position:absolute;left:0;top:1rem;width:2.1rem;height:2.1rem;border-radius:50%;display:grid;place-items:center;font-weight:600;border:1.5px solid var(--accent);color:var(--accent)}
.fix-head{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:center;margin-bottom:.35rem;font-weight:600}
.fix-head a{flex:1 1 16rem}
.fixes p{margin-bottom:.3rem;max-width:44rem}`;

const findings = `
.finding{background:var(--card);border:1px solid var(--line);border-top:4px solid var(--info);border-radius:10px;padding:1.4rem clamp(1rem,3vw,1.9rem) 1.5rem;margin:0 0 1.75rem}
.finding.critical{border-top-color:var(--critical)}.finding.high{border-top-color:var(--high)}.finding.medium{border-top-color:var(--medium)}.finding.low{border-top-color:var(--low)}
.tags{display:flex;flex-wrap:wrap;gap:.3rem .9rem;align-items:center;margin:0 0 .6rem}
.tag{font-size:.85rem;color:var(--soft)}
.badge{display:inline-block;font-size:.8rem;font-weight:700;line-height:1;padding:.4em .7em;border-radius:99px;color:var(--info);background:var(--info-tint)}
.badge.critical{color:var(--critical);background:var(--critical-tint)}.badge.high{color:var(--high);background:var(--high-tint)}
.badge.medium{color:var(--medium);background:var(--medium-tint)}.badge.low{color:var(--low);background:var(--low-tint)}
h3 .number{color:var(--soft);font-weight:400;margin-right:.25rem}
.references,.places{margin:0 0 .75rem;padding-left:1.15rem;font-size:.925rem}
.references li,.places li{margin-bottom:.2rem;overflow-wrap:anywhere}
.method{font-weight:600}
.parameter{font-size:.9rem;color:var(--soft);white-space:normal}
.prose code{background:var(--sunken);border-radius:4px;padding:.1em .3em}`;

const evidence = `
.evidence{border:1px solid var(--line);border-radius:8px;margin:0 0 .6rem;background:var(--paper)}
.evidence>summary{cursor:pointer;padding:.7rem 1rem;overflow-wrap:anywhere;list-style:none;position:relative;padding-left:2.2rem}
.evidence>summary::-webkit-details-marker{display:none}
.evidence>summary::before{content:"";position:absolute;left:1rem;top:1.15em;width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:translateY(-25%) rotate(-45deg)}
.evidence[open]>summary::before{transform:translateY(-40%) rotate(45deg)}
.evidence[open]>summary{border-bottom:1px solid var(--line)}
.evidence-body{padding:1rem clamp(.8rem,2vw,1.25rem)}
.steps{list-style:none;margin:0 0 1rem;padding:0}
.step{margin:0 0 1.4rem}
.step-name{color:var(--soft);font-weight:400;margin-right:.35rem}
.exchange{display:grid;grid-template-columns:1fr;border:1px solid var(--line);border-radius:6px;overflow:hidden;gap:1px;background:var(--line)}
@media (min-width:48rem){.exchange{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}}
.sent,.seen{background:var(--sunken);min-width:0}
.pane-title{margin:0;padding:.45rem .8rem;font-size:.8rem;color:var(--soft);border-bottom:1px solid var(--line);font-weight:600}
pre{margin:0;padding:.7rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;tab-size:2}
pre code{font-size:1em}
pre{font-size:.825rem}
mark{background:var(--mark);color:var(--mark-ink);border-radius:2px;padding:.05em .1em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.who{font-weight:400;color:var(--soft)}
.more>summary{cursor:pointer;padding:.1rem .8rem .6rem;font-size:.8rem;color:var(--soft)}
.write-flag{color:var(--high)}
.claims{margin-top:.6rem;font-size:.9rem}
.claim-note{display:block;color:var(--soft)}
.none{color:var(--soft);font-style:italic}
.control{border-left:4px solid var(--line);padding-left:1rem;margin:1.25rem 0}
.control-title,.reproduce-title{font-weight:700;margin-bottom:.25rem}
.curl{background:var(--sunken);border:1px solid var(--line);border-radius:6px;margin-bottom:1rem}
.curl code{user-select:all}`;

const tables = `
.scroll{overflow-x:auto;margin:0 0 1.25rem}
table{border-collapse:collapse;width:100%;font-size:.925rem}
caption{text-align:left;font-size:.85rem;color:var(--soft);padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line);min-width:4.5rem;overflow-wrap:break-word}
tbody th{font-weight:600;min-width:7rem;max-width:20rem}
thead th{font-size:.8rem;color:var(--soft);font-weight:600}
.figure{font-variant-numeric:tabular-nums}
th[scope=rowgroup]{max-width:none;padding-top:1.4rem;font-size:.85rem;color:var(--soft)}
.asked{display:block;font-size:.8rem;font-weight:400;line-height:1.4;color:var(--soft);overflow-wrap:anywhere}
.matrix thead th+th{padding-left:.8rem}
.matrix th:first-child{min-width:9.5rem;position:sticky;left:0;background:var(--paper)}
.answer{min-width:7rem;padding-left:.8rem}
.answer.private{box-shadow:inset 3px 0 var(--low)}
.answer.beyond{box-shadow:inset 3px 0 var(--high);background:var(--high-tint)}
.answer.beyond strong::before{content:"! "}
.answer.beyond strong,.answer.beyond .asked{color:var(--high)}
.answer.shut strong{font-weight:400}
.answer.untried strong{font-weight:400;font-style:italic}
.status{white-space:nowrap;font-weight:600}
.status.done{color:var(--clean)}
.status.gap{color:var(--medium)}
.status.gap::before{content:"! ";font-weight:700}`;

const chains = `
.chain-layout{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1.5rem 2.5rem;margin:1.25rem 0;align-items:start}
.chain svg{max-width:24rem}
.box{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.box.breaks{fill:var(--clean-tint);stroke:var(--clean)}
.step-number{fill:var(--soft)}.step-number.breaks{fill:var(--clean)}
svg .step-digit{fill:var(--card);font-weight:700}
svg .title{font-size:14px}
svg .fix{fill:var(--clean);font-weight:700}
svg .gives{fill:var(--soft);font-size:12.5px}
svg .goal{fill:var(--critical);font-weight:700}
.arrow{fill:none;stroke:var(--soft);stroke-width:1.5}.arrow-head{fill:var(--soft)}
.chain-steps{margin:0;padding-left:1.4rem}
.chain-steps li{margin-bottom:.9rem}
.chain-steps span{display:block;font-size:.9rem;color:var(--soft)}
.chain-steps .fix-flag{color:var(--clean);font-weight:700}`;

/** Styles of the parts of the report. */
export const componentStyles = `${verdictAndBanners}${summary}${findings}${evidence}${tables}${chains}`;
