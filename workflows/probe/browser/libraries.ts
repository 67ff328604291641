import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Where libraries say their version at run time, by the names that the data of Retire.js gives them. Only what a library
 * itself keeps under a name of its own is listed: "_" is asked for what only lodash, or only Underscore, has.
 */
const versionOf: Record<string, string> = {
  // Builds without some of its parts list them behind the version: "3.4.1 -ajax,-effects".
  jquery: 'window.jQuery && jQuery.fn && jQuery.fn.jquery && String(jQuery.fn.jquery).replace(/ -[\\w,\\/-]+$/, "")',
  'jquery-migrate': 'window.jQuery && jQuery.migrateVersion',
  'jquery-ui': 'window.jQuery && jQuery.ui && jQuery.ui.version',
  'jquery-mobile': 'window.jQuery && jQuery.mobile && jQuery.mobile.version',
  'jquery.datatables': 'window.jQuery && jQuery.fn && jQuery.fn.dataTable && jQuery.fn.dataTable.version',
  angularjs: 'window.angular && angular.version && angular.version.full',
  bootstrap:
    '(window.bootstrap && bootstrap.Modal && bootstrap.Modal.VERSION) || (window.jQuery && jQuery.fn && jQuery.fn.modal && jQuery.fn.modal.Constructor && jQuery.fn.modal.Constructor.VERSION)',
  lodash: 'window._ && _.runInContext && _.VERSION',
  'underscore.js': 'window._ && !_.runInContext && _.chain && _.VERSION',
  'moment.js': 'window.moment && moment.isMoment && moment.version',
  vue: 'window.Vue && Vue.version',
  knockout: 'window.ko && ko.observable && ko.version',
  handlebars: 'window.Handlebars && Handlebars.VERSION',
  'mustache.js': 'window.Mustache && Mustache.version',
  'backbone.js': 'window.Backbone && Backbone.VERSION',
  prototypejs: 'window.Prototype && Prototype.Version',
  DOMPurify: 'window.DOMPurify && DOMPurify.version',
  axios: 'window.axios && axios.VERSION',
  highcharts: 'window.Highcharts && Highcharts.version',
  'chart.js': 'window.Chart && Chart.version',
  jszip: 'window.JSZip && JSZip.version',
  ckeditor: 'window.CKEDITOR && CKEDITOR.version',
  tinyMCE: 'window.tinymce && (tinymce.majorVersion + "." + tinymce.minorVersion)',
  'pdf.js': 'window.pdfjsLib && pdfjsLib.version',
};

/** Text of the page is not to be trusted: what is not shaped like a version is none. */
const script = `(() => {
  const versions = [];
  ${Object.entries(versionOf)
    .map(
      ([name, expression]) =>
        `try { const version = ${expression}; if (typeof version === 'string' && /^\\d[\\w.+-]{0,40}$/.test(version)) versions.push(${JSON.stringify(name)} + ' ' + version); } catch {}`,
    )
    .join('\n  ')}
  return versions;
})()`;

const timeLimitMs = 1_000;
const maxLines = 100;
const maxLineLength = 250;

/** Libraries that had run in a page, for instance "jquery 3.7.1". None when the page does not answer. */
export const readLibraries = (page: Page): Promise<string[]> => linesOf(page, script);

/** Own properties that every object of the page has from its prototype, "name value", which in order are none. */
export const readPrototype = (page: Page): Promise<string[]> =>
  linesOf(
    page,
    `Object.entries(Object.prototype).filter(([, value]) => typeof value !== 'object' && typeof value !== 'function').slice(0, 100).map(([name, value]) => (name + ' ' + String(value)).slice(0, 200))`,
  );

async function linesOf(page: Page, expression: string): Promise<string[]> {
  const timer = new AbortController();
  const tooLong = sleep(timeLimitMs, [], { signal: timer.signal }).catch(() => []);
  const read = page.evaluate(expression).catch(() => []);
  const found: unknown = await Promise.race([read, tooLong]);
  timer.abort();
  // What the page's script has replaced may have answered.
  const lines = Array.isArray(found) ? found.slice(0, maxLines) : [];
  return lines.filter((line): line is string => typeof line === 'string' && line.length <= maxLineLength);
}
