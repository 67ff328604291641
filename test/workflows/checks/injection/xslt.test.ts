import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { xslt } from '../../../../workflows/checks/injection/xslt.check.ts';
import { type Answer, escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { type Processor, transformed } from '../../../fixtures/stylesheets.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('injection.xslt');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return { ...(await runOn(site.url, xslt)), requests: site.requests };
  } finally {
    await site.close();
  }
}

const invoice =
  '<invoice><line><what>Bolts</what><sum>12</sum></line><line><what>Nuts</what><sum>3</sum></line></invoice>';
const own =
  '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><ul><xsl:for-each select="//line"><li><xsl:value-of select="what"/></li></xsl:for-each></ul></xsl:template></xsl:stylesheet>';

function attempt(write: () => string): Answer {
  try {
    return html(write());
  } catch {
    return html('<p>This cannot be shown.</p>', 400);
  }
}

const showing =
  (show: (sheet: string, document: string) => Answer, { name = 'look', sample = own, also = '' } = {}): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/show?${name}=${encodeURIComponent(sample)}${also}">An invoice</a>`);
    return path === '/show' ? show(query.get(name) ?? '', query.get('xml') ?? '') : undefined;
  };

const running = (processor: Processor) => showing((sheet) => attempt(() => transformed(sheet, invoice, processor)));

further(test)(
  'a stylesheet of the site itself that is run is found, of medium severity where it only calculates',
  async () => {
    const found = await result(running({}));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /show look']], found.outcome.reason);
    assert.is(found.findings[0]?.severity, Severity.MEDIUM);
    assert.match(found.findings[0]?.description ?? '', /was not shown/);
  },
);

test('one that calls functions of PHP is critical', async () => {
  const found = await result(running({ calls: true }));
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.CRITICAL], found.outcome.reason);
});

test('a field of a name that says so, beside one for the document, is found', async () => {
  const both = showing((sheet, document) => attempt(() => transformed(sheet, document)), {
    ...{ name: 'xslt', sample: '', also: '&xml=' },
  });
  const found = await result(both);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /show xslt']], found.outcome.reason);
});

const sheets: Record<string, Handler> = {
  'that is repeated': showing((sheet) => html(escapeHtml(sheet))),
  'of which the texts are shown': showing((sheet) => html(escapeHtml(sheet.replace(/<[^>]*>/g, '')))),
  'that has to be one of the site': showing((sheet) =>
    attempt(() => transformed(sheet === own ? sheet : '', invoice, { opens: true, calls: true })),
  ),
  'whose name chooses one of the site': showing(
    (sheet) => attempt(() => transformed(sheet === 'plain' ? own : '', invoice)),
    { name: 'layout', sample: 'plain' },
  ),
};

for (const [what, handler] of firstRows(Object.entries(sheets), 2))
  test(`a stylesheet ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

test('an input that says nothing of XML is sent one word', async () => {
  const { requests } = await result(showing(() => html('Hello'), { name: 'q', sample: 'lamp' }));
  assert.is(requests.filter((request) => /\?q=(?!lamp)/.test(request)).length, 1);
});

test.run();
