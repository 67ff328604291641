import angular from 'csp_evaluator/dist/allowlist_bypasses/angular.js';
import { Version } from 'csp_evaluator/dist/csp.js';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { matchWildcardUrls } from 'csp_evaluator/dist/utils.js';
import type { Exchange } from '../../model/http.ts';
import { metaContents } from '../../probe/html/metas.ts';
import { isHtml } from '../../probe/http/document-type.ts';

export const cspHeader = 'content-security-policy';

/** A way to run a script of one's own under a policy: markup that an injection would add, and how it shows that it was let through. */
export type Bypass = {
  /** What the policy allows that makes it possible. */
  cause: string;
  markup: string;
  shows: { subject: 'browser:dialogs' | 'browser:requests'; text: string };
};

const inline: Bypass = {
  cause: "inline script ('unsafe-inline' without a nonce or hash)",
  markup: "<script>alert('‹nonce›')</script>",
  shows: { subject: 'browser:dialogs', text: '‹nonce›' },
};
const data: Bypass = {
  cause: 'scripts from data: addresses',
  markup: `<script src="data:text/javascript,alert('‹nonce›')"></script>`,
  shows: { subject: 'browser:dialogs', text: '‹nonce›' },
};
const anywhere: Bypass = {
  cause: 'scripts from every host',
  markup: '<script src="https://‹nonce›.example/x.js"></script>',
  shows: { subject: 'browser:requests', text: 'https://‹nonce›.example/x.js' },
};

/** A script with a nonce that was seen in another answer: whoever has seen one page knows it. */
const repeatedNonce = (nonce: string): Bypass => ({
  cause: 'a nonce that is the same in each answer',
  markup: `<script nonce="${nonce.replaceAll('"', '')}">alert('‹nonce›')</script>`,
  shows: { subject: 'browser:dialogs', text: '‹nonce›' },
});

/** Each header, each member of its list and each meta element is a policy of its own; all are enforced. */
export function policiesOf(exchange: Exchange): string[] {
  if (!isHtml(exchange)) return [];
  return [...exchange.headerValues(cspHeader), ...metaPolicies(exchange.text)].flatMap(separatePolicies);
}

/** Policies in the markup of a page. Browsers ignore those outside of its head. Source: CSP3 §3.3, HTML Standard §4.2.5.3. */
export const metaPolicies = (html: string): string[] => metaContents(html, cspHeader, { inHead: true });

/** Members of a header's list. Source: CSP3 §2.2.2. */
export const separatePolicies = (value: string): string[] =>
  value
    .split(',')
    .map((policy) => policy.trim())
    .filter(Boolean);

/**
 * Ways past a set of policies, all of which are enforced, the most certain first. Empty when none restricts scripts: then there is
 * nothing to get past.
 */
export function bypassesOf(policies: readonly string[]): Bypass[] {
  const restricting = policies.filter((policy) => scriptSources(policy) !== undefined);
  const [first, ...others] = restricting.map(bypassesOfOne);
  if (!first) return [];
  const allow = (bypass: Bypass) => others.every((list) => list.some(({ markup }) => markup === bypass.markup));
  return first.filter(allow);
}

/** The way past policies that come with the same nonce in two answers. */
export function repeatedNonceOf(policies: readonly string[], later: readonly string[]): Bypass | undefined {
  const again = new Set(later.flatMap(noncesIn));
  const nonce = policies.flatMap(noncesIn).find((each) => again.has(each));
  return nonce === undefined ? undefined : repeatedNonce(nonce);
}

const noncesIn = (policy: string): string[] =>
  (scriptSources(policy) ?? []).flatMap((source) => /^'nonce-(.+)'$/i.exec(source)?.[1] ?? []);

/** Whether a policy says anything of scripts; a sandbox does, since it forbids them unless it says otherwise. */
export const restrictsScripts = (policy: string): boolean =>
  scriptSources(policy) !== undefined || /(?:^|;)\s*sandbox\b/i.test(policy);

/** Sources of the directive that governs scripts; undefined when scripts are not restricted. Source: CSP3 §6.8.4. */
function scriptSources(policy: string): string[] | undefined {
  const { directives } = new CspParser(policy).csp;
  return directives['script-src-elem'] ?? directives['script-src'] ?? directives['default-src'];
}

/**
 * Whether browsers take it for a source; what is none matches nothing, and the evaluator throws on some of it.
 * Source: CSP3 §2.3.1, and the underscore that browsers take as well.
 */
function isSource(text: string): boolean {
  const isForm =
    /^(?:'[^']+'|[a-z][a-z\d+.-]*:|(?:[a-z][a-z\d+.-]*:\/\/)?(?:\*|(?:\*\.)?[\w.-]+)(?::(?:\d+|\*))?(?:\/.*)?)$/i;
  const withoutScheme = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '');
  return isForm.test(text) && URL.canParse(`https://${withoutScheme.replace(':*', '').replace('*', 'any')}`);
}

function bypassesOfOne(policy: string): Bypass[] {
  const sources = scriptSources(policy)?.filter(isSource) ?? [];
  const governing = new CspParser(`script-src ${sources.join(' ')}`).csp;
  const found = new CspEvaluator(governing, Version.CSP3).evaluate();
  const causes = found.filter(({ directive }) => directive === 'script-src');
  const has = (type: Type, value?: string) =>
    causes.some((finding) => finding.type === type && (value === undefined || finding.value === value));
  const bypasses: Bypass[] = [];
  if (has(Type.SCRIPT_UNSAFE_INLINE)) bypasses.push(inline);
  if (has(Type.PLAIN_URL_SCHEMES, 'data:')) bypasses.push(data);
  if (has(Type.PLAIN_WILDCARD) || has(Type.PLAIN_URL_SCHEMES, 'https:')) bypasses.push(anywhere);
  const allowed = causes
    .filter(({ type }) => type === Type.SCRIPT_ALLOWLIST_BYPASS)
    .flatMap(({ value }) => value ?? []);
  return [...bypasses, ...allowed.flatMap((source) => libraryBypass(source) ?? [])];
}

/**
 * AngularJS on an allowed library host: once loaded, it runs the expressions in the page's markup. Hosts of JSONP are left out:
 * whether such an address still answers cannot be shown without asking a host that is not the audited one.
 */
function libraryBypass(source: string): Bypass | undefined {
  if (!source.includes('.')) return undefined;
  const known = matchWildcardUrls(`//${source.replace(/^\w[\w+.-]*:\/\//, '')}`, angular.URLS);
  if (!known) return undefined;
  const address = `https://${known.host}${known.pathname}${known.search}`;
  return {
    cause: `AngularJS from ${source}, which runs expressions in the page's markup`,
    markup: `<script src="${address.replaceAll('&', '&amp;').replaceAll('"', '%22')}"></script>`,
    shows: { subject: 'browser:requests', text: address },
  };
}
