import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DemoMarkup, type DemoPart, html } from './html.ts';
import type { Shop } from './shop.ts';
import { type DemoVisit, keepSession } from './visit.ts';

type DemoPage = {
  title: string;
  body: DemoMarkup;
  status?: number;
  /** Paths of scripts that only this page needs. */
  scripts?: readonly string[];
};

/** Answers with a page of the shop. Pages of a session are kept by no cache, unless that is the weakness. */
export function sendPage(shop: Shop, reply: FastifyReply, visit: DemoVisit, page: DemoPage): FastifyReply {
  keepSession(shop, reply, visit);
  const isKept = visit.user && shop.weaknesses.privatePagesCacheable;
  reply.header('cache-control', isKept ? 'public, max-age=60' : 'no-store');
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(layout(visit, page).text);
}

function layout(visit: DemoVisit, { title, body, scripts = [] }: DemoPage): DemoMarkup {
  const { user, itemsInCart } = visit;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Linde &amp; Holm</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="${visit.address}"><link rel="stylesheet" href="/assets/site.css"><link rel="icon" href="/assets/mark.svg">
${['/assets/shop.js', ...scripts].map((src) => html`<script src="${src}" nonce="${visit.nonce}" defer></script>`)}</head>
<body><a class="skip" href="#content">Skip to content</a>
<header class="top"><a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="34" height="34"> Linde &amp; Holm</a>
<nav aria-label="Shop"><a href="/catalogue">Furniture</a><a href="/studio">Studio</a><a href="/care">Care</a><a href="/about">Workshop</a><a href="/contact">Contact</a></nav>
<form class="find" action="/search" role="search"><label><span class="unseen">Search the shop</span><input type="search" name="q" placeholder="Search" maxlength="200"></label><button>Search</button></form>
<nav aria-label="Your shop">${
    user
      ? html`<a href="/account">${user.name}</a><a href="/orders">Orders</a>${user.role === 'admin' && html`<a href="/admin">Administration</a>`}`
      : html`<a href="/login">Log in</a>`
  }<a href="/cart">Cart${itemsInCart > 0 && ` (${itemsInCart})`}</a></nav></header>
<main id="content">${body}</main>
<footer><p>Linde &amp; Holm, 1 Workshop Yard, Westbridge. Furniture made to last since 1962.</p>
<p><a href="/go?to=%2Fabout">About the workshop</a> <a href="/go?to=https%3A%2F%2Fnordvik-weavers.example%2F">Nordvik Weavers</a> <a href="/contact">Write to us</a></p></footer></body></html>
`;
}

/** A page with a message and nothing else. */
export const notice = (
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
): FastifyReply =>
  sendPage(shop, reply, request.visit, {
    status,
    title,
    body: html`<section class="narrow"><h1>${title}</h1><p>${text}</p></section>`,
  });

/** A form that posts, with the token that says it is ours. */
export const postForm = (visit: DemoVisit, action: string, fields: DemoPart, className = 'form'): DemoMarkup =>
  plainForm(action, html`<input type="hidden" name="form_token" value="${visit.formToken}">${fields}`, className);

export const plainForm = (action: string, fields: DemoPart, className = 'form'): DemoMarkup =>
  html`<form class="${className}" method="post" action="${action}">${fields}</form>`;

/** "€ 249.00" */
export const price = (cents: number): string => `€ ${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;
