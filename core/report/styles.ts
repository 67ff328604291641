import { componentStyles } from './styles-components.ts';
import { printStyles } from './styles-print.ts';

/**
 * Colours by role. Each text colour has a contrast of at least 4.5 to each ground it stands on (WCAG 2.2, 1.4.3).
 */
const light = `
--paper:#fcfcfa;--card:#fff;--sunken:#f4f5f3;--ink:#1b232d;--soft:#525d69;--line:#dfe2e0;--accent:#1d5072;
--critical:#8f1432;--critical-tint:#fbeaee;--high:#a83a0b;--high-tint:#fdefe6;--medium:#7d5700;--medium-tint:#fdf4da;
--low:#1b5f8c;--low-tint:#e8f2f9;--info:#4f5b67;--info-tint:#eef0f1;--clean:#1c6841;--clean-tint:#e9f5ee;--mark:#ffe48f;--mark-ink:#3a2b00;`;

const dark = `
--paper:#13171c;--card:#1a2027;--sunken:#10141a;--ink:#e5e9ed;--soft:#a4afba;--line:#313a44;--accent:#8cc4ea;
--critical:#ff93a6;--critical-tint:#3a1a22;--high:#ffa673;--high-tint:#38200f;--medium:#edc35f;--medium-tint:#322710;
--low:#85c3ee;--low-tint:#152a3a;--info:#b1bcc7;--info-tint:#262e36;--clean:#7fd3a4;--clean-tint:#14301f;--mark:#6b5310;--mark-ink:#fff3cf;`;

const base = `
:root{color-scheme:light dark;${light}
--serif:ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,Georgia,"Times New Roman",serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;
--mono:ui-monospace,SFMono-Regular,"Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 var(--sans);overflow-wrap:break-word}
h1,h2{font-family:var(--serif);font-weight:600;line-height:1.15;text-wrap:balance}
h1{font-size:clamp(2rem,6vw,3.4rem);margin:.2rem 0 .6rem;letter-spacing:-.015em;overflow-wrap:anywhere}
h2{font-size:1.75rem;margin:0 0 .75rem;letter-spacing:-.01em}
h3{font-size:1.25rem;line-height:1.3;margin:.35rem 0 .75rem;overflow-wrap:anywhere;text-wrap:pretty}
h4{font-size:.8rem;letter-spacing:.07em;text-transform:uppercase;color:var(--soft);margin:1.6rem 0 .4rem}
h5{font-size:1rem;font-weight:600;line-height:1.45;margin:0 0 .6rem;overflow-wrap:anywhere}
p{margin:0 0 .75rem}
a{color:var(--accent);text-underline-offset:.15em;overflow-wrap:anywhere}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
code,pre,.id,.method{font-family:var(--mono);font-size:.875em}
code{overflow-wrap:anywhere}
.id{overflow-wrap:anywhere;color:var(--soft)}
.skip{position:absolute;left:-999rem;top:0;padding:.5rem 1rem;background:var(--card);z-index:1}
.skip:focus{left:0}
.cover,.columns,footer{max-width:76rem;margin:0 auto;padding:0 clamp(1rem,4vw,3rem)}
.cover{padding-top:clamp(2.5rem,7vw,5rem);padding-bottom:1.5rem}
.eyebrow{margin:0;font-size:.8rem;font-weight:600;letter-spacing:.14em;text-transform:uppercase;color:var(--accent)}
.about{color:var(--soft);margin:0}
.about::first-letter{text-transform:uppercase}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem}
nav{border-block:1px solid var(--line);padding:1rem 0;font-size:.925rem}
.nav-title{font-weight:600;margin:0 0 .35rem}
nav ol{list-style:none;margin:0;padding:0}
nav ol ol{display:none}
nav>ol{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem}
nav a{display:inline-block;padding:.25rem 0;color:var(--ink);text-decoration:none}
nav a:hover{text-decoration:underline}
main{min-width:0}
main>section{padding-bottom:3.25rem}
.lead{font-size:1.0625rem;color:var(--soft);max-width:44rem}
.prose{max-width:44rem}
.prose p{white-space:pre-line}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.note,.identity{font-size:.9rem;color:var(--soft)}
footer{border-top:1px solid var(--line);padding-top:1.25rem;padding-bottom:3rem;font-size:.875rem;color:var(--soft)}
@media (min-width:66rem){
.columns{grid-template-columns:15rem minmax(0,1fr);gap:4rem;padding-top:1rem}
nav{position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow:auto;border:0;padding:0;scrollbar-width:thin}
nav>ol{display:block}
nav ol ol{display:block;border-left:1px solid var(--line);margin:.1rem 0 .4rem .1rem;padding-left:.75rem;font-size:.85rem;line-height:1.4}
nav ol ol a{color:var(--soft)}
}`;

/** The stylesheet of the report. Its SHA-256 stands in the Content-Security-Policy. */
export const styles = `${base}${componentStyles}${printStyles(light)}`.replaceAll('\n', '');
