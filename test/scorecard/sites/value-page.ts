import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

/** A page with a value of its own: what its maker throws is an error page that says nothing. */
export type ValuePage = {
  /** Of the value's page, with the name of the parameter and a value: "/look?host=localhost". */
  link: string;
  make: (value: string, request: Request) => string | Promise<string>;
  close?: () => unknown;
  /** A program of another language makes the page, and nothing names this one. Default false. */
  isOther?: boolean;
};

/** An application of one page that takes a value in its address. Its parser of addresses makes objects of "a[b]=c". */
export function startValuePage({ link, make, close, isOther = false }: ValuePage): Promise<ScoreSite> {
  const app = express().set('query parser', 'extended').set('x-powered-by', !isOther);
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
  if (isOther) app.use((_request, response) => response.status(404).send('<h1>No such page</h1>'));
  return startApp(app, close ? { close } : {});
}
