import express, { type Request } from 'express';
import type { Check } from '../../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { startApp } from '../../../scorecard/sites/express.ts';
import { type AuditOptions, runOn } from '../harness.ts';

/** Makes the page for a value; what it throws is an error page that says nothing. */
export type Show = (value: string, request: Request) => string | Promise<string>;

/** A page that links to another one with a value of its own. */
export async function resultOn(
  check: Check,
  link: string,
  show: Show,
  options: AuditOptions = {},
): Promise<CheckResult> {
  const app = express().set('query parser', 'extended');
  const { pathname, searchParams } = new URL(link, 'http://any.invalid');
  const [name = ''] = [...searchParams.keys()];
  app.get('/', (_request, response) => response.send(`<a href="${link.replaceAll('&', '&amp;')}">Look</a>`));
  app.get(pathname, async (request, response) => {
    try {
      response.send(await show(String(request.query[name] ?? ''), request));
    } catch {
      response.status(500).send('<h1>Something went wrong</h1>');
    }
  });
  const site = await startApp(app);
  try {
    return await runOn(site.url, check, options);
  } finally {
    await site.close();
  }
}
