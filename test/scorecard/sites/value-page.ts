import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

/** A page with a value of its own: what its maker throws is an error page that says nothing. */
export type ValuePage = {
  /** Of the value's page, with the name of the parameter and a value: "/look?host=localhost". */
  link: string;
  make: (value: string, request: Request) => string | Promise<string>;
  close?: () => unknown;
};

/** An application of one page that takes a value in its address. Its parser of addresses makes objects of "a[b]=c". */
export function startValuePage({ link, make, close }: ValuePage): Promise<ScoreSite> {
  const app = express().set('query parser', 'extended');
  const { pathname, searchParams } = new URL(link, 'http://any.invalid');
  const [name = ''] = [...searchParams.keys()];
  app.get('/', (_request, response) => response.send(`<a href="${link.replaceAll('&', '&amp;')}">Look</a>`));
  app.get(pathname, async (request, response) => {
    try {
      response.send(await make(String(request.query[name] ?? ''), request));
    } catch {
      response.status(500).send('<h1>Something went wrong</h1>');
    }
  });
  return startApp(app, close ? { close } : {});
}
