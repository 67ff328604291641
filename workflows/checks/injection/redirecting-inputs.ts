import { type BrowserAction, claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { RedirectPayload } from '../addresses/redirect-payloads.ts';
import { answerStep, asHttp, pageStep } from '../addresses/redirect-steps.ts';
import { inputAction } from '../inputs/input-request.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import { browserAction } from './posting-page.ts';

/** An input whose value decides where visitors are sent. */
export type Redirecting = {
  input: InputSurface;
  detail: string;
  /** Template of the request that leads away. */
  request: HttpAction;
  /** The same with a path of the site's own. */
  harmless: HttpAction;
  host: string;
  value: string;
  /** Who leads away: the server's answer, or the page in a browser. */
  by: 'answer' | 'page';
  /** Parameter in the place to go that lets its holder in: the code of a login. */
  handsOver?: string;
  cvss?: string;
};

/** Whoever gets the code of a login is logged in as its owner. */
const codeLeaks = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N';

/** @param handsOver parameter in the place to go that lets its holder in */
export function redirectingBy(
  input: InputSurface,
  { value, host }: RedirectPayload,
  request: HttpAction,
  by: Redirecting['by'],
  handsOver?: string,
): Redirecting {
  // After a hop of the site's own, the last address is the one that leads away; its harmless twin has a path instead.
  const encoded = encodeTemplate(value);
  const isDirect = input.in !== 'body' && request.url.includes(encoded);
  return {
    input,
    detail: `The value ${JSON.stringify(value.replaceAll('‹nonce›', 'evil'))} leads to another host${
      handsOver === undefined
        ? ''
        : `, and hands it the parameter "${handsOver}": the redirect URI of a login (OAuth) is not compared as a whole, so the code of whoever follows a link is leaked, and their account with it`
    }.`,
    ...(handsOver === undefined ? {} : { handsOver, cvss: codeLeaks }),
    request,
    harmless: isDirect
      ? { url: request.url.replace(encoded, encodeTemplate('/‹nonce›')) }
      : inputAction(input, '/‹nonce›'),
    host,
    value,
    by,
  };
}

/** A form is posted by a page of somebody else's. */
const visitOf = (input: InputSurface, { url }: HttpAction, value: string): BrowserAction =>
  input.in === 'body' ? browserAction(input, asHttp(value)) : { url };

export function redirectExperiment(redirecting: Redirecting): Experiment {
  const { request, harmless, host, handsOver, value, by, input } = redirecting;
  const step = (http: HttpAction, own: string, note: string): Step =>
    by === 'answer' ? answerStep(http, host, note) : pageStep(visitOf(input, http, own), host, note);
  const leading = step(request, value, 'The address of a foreign host in the request becomes the place to go.');
  const carried = handsOver === undefined ? [] : [claim('header:location', 'matches', `[?&#]${handsOver}=`)];
  return {
    steps: [{ ...leading, expect: [...leading.expect, ...carried] }],
    control: [step(harmless, '/‹nonce›', 'With a path of the site’s own in its place, nobody is led away.')],
  };
}
