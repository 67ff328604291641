import { privilegeOf } from '../../../../workflows/checks/access/privileged-page.ts';
import { passwordForms } from '../../../../workflows/checks/auth/password-forms.ts';
import { loadedLinks, loadedScripts } from '../../../../workflows/checks/client/third-party.ts';
import { reflectionsOf } from '../../../../workflows/checks/dom/reflection.ts';
import { isCompiled, templatePlaces } from '../../../../workflows/checks/dom/template-payloads.ts';
import { listingOf } from '../../../../workflows/checks/pages/listing.ts';
import { areAlike } from '../../../../workflows/checks/pages/page-likeness.ts';
import { textsOf } from '../../../../workflows/checks/sessions/private-text.ts';
import { findAll, findCodeForm, findPasswordForm, findUsernameForm } from '../../../../workflows/login/find-form.ts';
import { accountLinks } from '../../../../workflows/login/likely-pages.ts';
import { pageForms } from '../../../../workflows/login/page-forms.ts';
import { headMetas } from '../../../../workflows/ownership/head-metas.ts';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';
import { baseUrlOf } from '../../../../workflows/probe/html/base.ts';
import { sentForms } from '../../../../workflows/probe/html/submission.ts';
import { visibleText } from '../../../../workflows/probe/html/text.ts';
import { nodesOf } from '../../../../workflows/probe/html/tree.ts';
import { scopeOf } from '../../../../workflows/probe/scope.ts';
import { createFrontier } from '../../../../workflows/survey/frontier.ts';
import { createTally } from '../../../../workflows/survey/left-out.ts';
import { createScribe } from '../../../../workflows/survey/scribe.ts';
import { answer, pageUrl } from '../answer.ts';
import { hostilePages } from '../pages.ts';
import { type Row, row } from '../row.ts';

const parser = 'workflows/probe/html/parse.ts';
const tokenizer = 'workflows/probe/html/bounded-tokenizer.ts';

/** Everything that reads HTML, by the parser or tokenizer that is under it. */
const readers: Record<string, { covers: string[]; read(html: string): unknown }> = {
  'the nodes of a page': { covers: [parser], read: (html) => [...nodesOf(html)].length },
  'the base of a page': { covers: [parser], read: (html) => baseUrlOf(html, pageUrl) },
  'the forms of a login page': { covers: [parser], read: (html) => pageForms(html, pageUrl) },
  'the fields of a login page': {
    covers: [],
    read(html) {
      const forms = pageForms(html, pageUrl);
      return [findPasswordForm, findUsernameForm, findCodeForm].map((find) => find(forms, findAll));
    },
  },
  'the pages about an account that a page leads to': { covers: [], read: (html) => accountLinks(html, pageUrl) },
  'the words of a refusal': { covers: [parser], read: visibleText },
  'the forms with a password': { covers: [], read: (html) => passwordForms(html, pageUrl) },
  'the scripts of a page': { covers: [], read: (html) => loadedScripts(html, pageUrl) },
  'the styles of a page': { covers: [], read: (html) => loadedLinks(html, pageUrl) },
  'the texts of a page': { covers: [], read: (html) => textsOf(html, 'text/html') },
  'places of a reflection': { covers: [], read: (html) => reflectionsOf(html, 'x') },
  'places of a template': { covers: [], read: (html) => [templatePlaces(html, 'x'), isCompiled(html, [])] },
  'a privileged page': {
    covers: [],
    read: (html) => privilegeOf(answer(html, { url: 'http://shop.example/admin/users' }), { leave: () => {} }),
  },
  'a list of a folder': {
    covers: ['workflows/proof/pattern.ts'],
    read: (html) => listingOf('http://shop.example/a/', answer(html, { url: 'http://shop.example/a/' })),
  },
  'the head of a page of somebody who has proven nothing': {
    covers: [tokenizer, 'workflows/probe/html/tokens.ts'],
    read: (html) => headMetas(html, 'scan-audit-verification'),
  },
  'the forms of a proof': { covers: [], read: (html) => sentForms(html, pageUrl) },
  'a page that is compared with one that is missing': {
    covers: [],
    read: (html) => areAlike(answer(html), [answer(`${html} `), answer(`${html}  `)]),
  },
  'a page of the survey': {
    covers: [],
    read(html) {
      const gate = createGate({ depth: 'standard', writes: 'reversible' });
      const refusesNothing = () => undefined;
      const scope = scopeOf(pageUrl);
      const scribe = createScribe({
        scope,
        frontier: createFrontier(scope, [], createTally(), refusesNothing),
        gate,
        refusalOf: refusesNothing,
        explorer: { add: () => {} },
        documents: { add: () => {} },
      });
      scribe.read({ url: pageUrl, source: 'link' }, answer(html));
      return scribe;
    },
  },
};

/** Readers of every page there is; the others come behind the same parser, and are given what they have to work on. */
const ofAll = new Set([
  'the nodes of a page',
  'the head of a page of somebody who has proven nothing',
  'a page of the survey',
]);
const work = [
  'small elements',
  'cells of tables',
  'entities',
  'forms with fields',
  'fields that name their form',
  'forms with a password each, and fields without a form',
  'labels in labels',
  'rows of addresses',
  'a very long base address',
  'links with a very long address',
  'scripts with an address',
  'attributes of the body, again and again',
];

/** Measured with every change: of each kind of page one by the parser itself, what its readers have to work on by each of them. */
const ofEachReader = 'fields that name their form';
const oneOfAKind = [
  ofEachReader,
  'rows of addresses',
  'formatting elements that are never closed, before paragraphs',
  'elements that are never closed',
  'small elements',
  'content in front of a table',
  'templates in templates',
  'selects in selects',
  'attributes of the body, again and again',
  'entities',
  'a comment without an end',
  'scripts without an end',
  'foreign elements',
  'labels in labels',
  'a very long base address',
  'links with very many parameters',
  'classes of all kinds',
  'null characters',
];
const isUsual = (reader: string, page: string): boolean =>
  page === ofEachReader || (reader === 'the nodes of a page' && oneOfAKind.includes(page));

export const htmlRows: Row[] = Object.entries(readers).flatMap(([reader, { covers, read }]) =>
  Object.entries(hostilePages)
    .filter(([page]) => ofAll.has(reader) || work.includes(page))
    .map(([page, make]) => row(`${reader}: ${page}`, covers, make, read, !isUsual(reader, page))),
);
