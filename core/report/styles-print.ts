/**
 * On paper: light colours, all evidence open, page numbers, addresses written out.
 * @param light custom properties of the light scheme
 */
export const printStyles = (light: string): string => `
@page{size:A4;margin:18mm 16mm 20mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif;color:#525d69}}
@media print{
:root{color-scheme:light;${light}--paper:#fff}
html{font-size:9.5pt}body{line-height:1.45}
h1{font-size:28pt}h2{font-size:17pt}h3{font-size:12.5pt}h5{font-size:9.5pt}
.cover,.columns,footer{padding-left:0;padding-right:0;max-width:none}
.cover{padding-top:10mm}
.columns{display:block}
nav,.skip{display:none}
main>section{padding-bottom:9mm}
.verdict,.banner,.badge,.box,.fill,.track,mark,.sent,.seen,.curl,.step-number,.answer{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.verdict,.banner,.fixes>li,.picture,.facts div,tr{break-inside:avoid}
h2,h3,h4,h5,.tags,.pane-title,.control-title,.reproduce-title,caption{break-after:avoid}
.finding{box-decoration-break:clone;-webkit-box-decoration-break:clone;padding:4mm 5mm}
.pictures,.chain-layout{grid-template-columns:1fr 1fr}
.exchange{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}
pre{font-size:7.5pt}
.scroll{overflow:visible}
.matrix th:first-child{position:static}
.evidence>summary::before{display:none}
.evidence>summary{padding-left:1rem}
details:not(.more)::details-content{content-visibility:visible;display:block;height:auto}
.steps,.step,.control,.claims,.scroll,.curl{margin-bottom:2mm}
.claims{margin-top:1mm}
.claims thead{display:none}
.exchange{overflow:visible}
h5{margin-bottom:1mm}
th,td{padding-top:.2rem;padding-bottom:.2rem}
.control{margin-top:2mm}
pre{padding:1.2mm 2mm}
.references a[href^="http"]::after{content:" (" attr(href) ")";font-size:.85em;color:#525d69}
a{color:inherit}
}`;
