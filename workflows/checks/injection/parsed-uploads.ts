import { inZip } from '../../proof/archives.ts';
import type { UploadedFile } from '../inputs/input-request.ts';

/** A file that is read by a parser of XML: what an entity `x` of its documents stands for is a text of it. */
type ParsedKind = {
  /** For the reader. */
  name: string;
  /** What forms and fields that take it are called, in names, endings and media types. */
  called: RegExp;
  file(declarations: string): UploadedFile;
  /** The same with entities in the part alone that a strict parser of the others keeps from being read. */
  apart?: ParsedKind;
};

const head = '<?xml version="1.0"?>';
const start = (root: string, declarations: string) => `${head}<!DOCTYPE ${root} [${declarations}]>`;

const drawing: ParsedKind = {
  name: 'an SVG drawing',
  called: /svg|image|img|picture|photo|icon|avatar|logo|drawing/i,
  file: (declarations) => ({
    name: '‹nonce3›.svg',
    type: 'image/svg+xml',
    content: `${start('svg', declarations)}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>‹nonce›&x;</title><text y="9">&x;</text></svg>`,
  }),
};

/** Source: RSS 2.0. */
const feed: ParsedKind = {
  name: 'an RSS feed',
  called: /rss|feed/i,
  file: (declarations) => ({
    name: '‹nonce3›.rss',
    type: 'application/rss+xml',
    content: `${start('rss', declarations)}<rss version="2.0"><channel><title>‹nonce›&x;</title><link>https://example.com/</link><description>&x;</description><item><title>‹nonce›&x;</title><link>https://example.com/1</link><description>&x;</description></item></channel></rss>`,
  }),
};

/** What entities stand for is no part of attributes, so that titles are elements as well. Source: OPML 2.0. */
const outline: ParsedKind = {
  name: 'an OPML outline',
  called: /opml|outline/i,
  file: (declarations) => ({
    name: '‹nonce3›.opml',
    type: 'text/x-opml',
    content: `${start('opml', declarations)}<opml version="2.0"><head><title>‹nonce›&x;</title></head><body><outline type="rss" xmlUrl="https://example.com/feed"><title>‹nonce›&x;</title><text>&x;</text></outline></body></opml>`,
  }),
};

const document: ParsedKind = {
  name: 'an XML document',
  called: /\bxml|rss|opml|feed|sitemap/i,
  file: (declarations) => ({
    name: '‹nonce3›.xml',
    type: 'text/xml',
    content: `${start('root', declarations)}<root><item><id>1</id><name>‹nonce›&x;</name><value>&x;</value></item></root>`,
  }),
};

const points = ['47.1', '47.2']
  .map((lat) => `<trkpt lat="${lat}" lon="8.1"><ele>400</ele><time>2026-01-31T12:00:00Z</time></trkpt>`)
  .join('');

/** Programs show the name of a track that has points. Source: GPX 1.1. */
const track: ParsedKind = {
  name: 'a GPX track',
  called: /gpx|\btracks?\b|\broutes?\b|\bhikes?\b|\bgps\b/i,
  file: (declarations) => ({
    name: '‹nonce3›.gpx',
    type: 'application/gpx+xml',
    content: `${start('gpx', declarations)}<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>&x;</name><desc>&x;</desc></metadata><wpt lat="47.1" lon="8.1"><name>&x;</name></wpt><trk><name>‹nonce›&x;</name><desc>&x;</desc><trkseg>${points}</trkseg></trk></gpx>`,
  }),
};

/** Source: OGC KML 2.2. */
const places: ParsedKind = {
  name: 'a KML map',
  called: /kml/i,
  file: (declarations) => ({
    name: '‹nonce3›.kml',
    type: 'application/vnd.google-earth.kml+xml',
    content: `${start('kml', declarations)}<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>&x;</name><Placemark><name>‹nonce›&x;</name><description>&x;</description><Point><coordinates>8.1,47.1</coordinates></Point></Placemark></Document></kml>`,
  }),
};

const openXml = 'http://schemas.openxmlformats.org';
const relations = `${openXml}/package/2006/relationships`;
const coreProperties = `${openXml}/package/2006/metadata/core-properties`;

/** Programs that look parts up by their types find none by its name alone. */
const partTypes: readonly [part: RegExp, type: string][] = [
  [/^xl\/worksheets\//, 'officedocument.spreadsheetml.worksheet'],
  [/^xl\/sharedStrings/, 'officedocument.spreadsheetml.sharedStrings'],
  [/^docProps\/core/, 'package.core-properties'],
  [/^docProps\/app/, 'officedocument.extended-properties'],
];

const typesOf = (parts: readonly (readonly string[])[]): string =>
  [...parts.map(([name = '']) => name), 'docProps/core.xml', 'docProps/app.xml']
    .flatMap((name) => {
      const type = partTypes.find(([part]) => part.test(name))?.[1];
      return type === undefined
        ? []
        : `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-${type}+xml"/>`;
    })
    .join('');

/** Documents of Office Open XML (ECMA-376): archives of XML, of which programs read one part or another. */
function archive(
  { name, called, ending, main }: Pick<ParsedKind, 'name' | 'called'> & { ending: string; main: string },
  parts: (begin: (root: string) => string) => [name: string, content: string][],
): ParsedKind {
  const type = `application/vnd.openxmlformats-officedocument.${main}`;
  const kind = (kindName: string, isApart: boolean): ParsedKind => ({
    ...{ name: kindName, called },
    file: (declarations) => {
      const beginIn = (root: string) => start(root, declarations);
      const begin = isApart ? () => head : beginIn;
      const own = parts(begin);
      const [path = ''] = own[0] ?? [];
      const plain = [
        [
          '[Content_Types].xml',
          `${begin('Types')}<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${path}" ContentType="${type}.main+xml"/>${typesOf(own)}</Types>`,
        ],
        [
          '_rels/.rels',
          `${begin('Relationships')}<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${openXml}/officeDocument/2006/relationships/officeDocument" Target="${path}"/><Relationship Id="r2" Type="${relations}/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="r3" Type="${openXml}/officeDocument/2006/relationships/extended-properties" Target="docProps/app.xml"/></Relationships>`,
        ],
        ...own,
      ];
      const properties = [
        [
          'docProps/core.xml',
          `${beginIn('cp:coreProperties')}<cp:coreProperties xmlns:cp="${coreProperties}" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>‹nonce›&x;</dc:title><dc:creator>&x;</dc:creator></cp:coreProperties>`,
        ],
        [
          'docProps/app.xml',
          `${beginIn('Properties')}<Properties xmlns="${openXml}/officeDocument/2006/extended-properties"><Pages>&x;</Pages><Application>&x;</Application></Properties>`,
        ],
      ];
      const written = plain.map(([entry = '', content = '']) => [
        entry,
        isApart ? content.replaceAll('&x;', '') : content,
      ]);
      const entries = [...written, ...properties].map(([entry = '', content = '']) => ({ name: entry, content }));
      return { name: `‹nonce3›.${ending}`, type: type.replace(/\.main$/, ''), content: inZip(entries) };
    },
  });
  return { ...kind(name, false), apart: kind(`${name} with entities in its properties`, true) };
}

const word = archive(
  {
    name: 'a Word document',
    called: /\.docx?\b|wordprocessing|msword|\bwords?\b|resume|\bcv\b|document/i,
    ending: 'docx',
    main: 'wordprocessingml.document',
  },
  (begin) => [
    [
      'word/document.xml',
      `${begin('w:document')}<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>‹nonce›&x;</w:t></w:r></w:p></w:body></w:document>`,
    ],
  ],
);

const sheet = archive(
  {
    name: 'a workbook',
    called: /\.xls[xm]?\b|spreadsheet|excel|sheet|workbook/i,
    ending: 'xlsx',
    main: 'spreadsheetml.sheet',
  },
  (begin) => {
    const main = `${openXml}/spreadsheetml/2006/main`;
    return [
      [
        'xl/workbook.xml',
        `${begin('workbook')}<workbook xmlns="${main}" xmlns:r="${openXml}/officeDocument/2006/relationships"><workbookPr/><bookViews><workbookView/></bookViews><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets><definedNames><definedName name="b">&x;</definedName></definedNames></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        `${begin('Relationships')}<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${openXml}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${openXml}/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      ],
      [
        'xl/worksheets/sheet1.xml',
        `${begin('worksheet')}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
      ],
      ['xl/sharedStrings.xml', `${begin('sst')}<sst xmlns="${main}" count="1"><si><t>‹nonce›&x;</t></si></sst>`],
    ];
  },
);

const kinds: readonly ParsedKind[] = [sheet, word, track, places, outline, feed, document, drawing];

/** One of them by its name, as candidates keep it. */
export const kindNamed = (name: string): ParsedKind =>
  kinds.flatMap((kind) => [kind, ...(kind.apart ? [kind.apart] : [])]).find((kind) => kind.name === name) ?? drawing;

/** Kinds that a field takes by what it says, and a drawing and a document where it does not say which files. */
export function parsedKinds(accept: string, called: string): ParsedKind[] {
  // Names of other kinds have "xml" and "document" in them.
  const isOpen = accept === '' || accept === '*/*';
  const hint = isOpen ? called : accept;
  const types = hint.replace(/officedocument\.|openxmlformats|svg\+xml/gi, (part) => (part === 'svg+xml' ? 'svg' : ''));
  const fitting = kinds.filter(({ called: names }) => names.test(types));
  if (isOpen) return [...new Set([...fitting, drawing, document])];
  return fitting.length === 0 ? [drawing] : fitting;
}
