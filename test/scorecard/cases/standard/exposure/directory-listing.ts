import { type Answer, html, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const files = ['report-2024.pdf', 'customers.csv', 'logo.png'];
const page = (body: string, type = 'text/html'): Answer => ({ headers: { 'content-type': type }, body });

/** As each server writes it for the folder of these files. */
const lists: Record<string, (folder: string) => Answer> = {
  'an Apache httpd with fancy lists': (folder) =>
    page(
      `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html><head><title>Index of ${folder.slice(0, -1)}</title></head><body><h1>Index of ${folder.slice(0, -1)}</h1>\n<table><tr><th><a href="?C=N;O=D">Name</a></th></tr>${files.map((name) => `<tr><td><a href="${name}">${name}</a></td></tr>`).join('')}</table></body></html>`,
    ),
  'a Caddy that browses': (folder) =>
    page(
      `<!DOCTYPE html><html><head><title>${folder}</title></head><body><main><div class="meta"><div id="summary">\n<span class="meta-item"><b>0</b> directories</span><span class="meta-item"><b>3</b> files</span></div></div><div class="listing"><table aria-describedby="summary"><tbody>${files.map((name) => `<tr class="file"><td><a href="./${name}"><span class="name">${name}</span></a></td></tr>`).join('')}</tbody></table></div></main></body></html>`,
    ),
  'an nginx with autoindex': (folder) =>
    page(
      `<html>\r\n<head><title>Index of ${folder}</title></head>\r\n<body>\r\n<h1>Index of ${folder}</h1><hr><pre><a href="../">../</a>\r\n${files.map((name) => `<a href="${name}">${name}</a>   01-Jan-2026 10:00  12\r\n`).join('')}</pre><hr></body>\r\n</html>\r\n`,
    ),
};

const folderCase = ([name, list]: [string, (folder: string) => Answer]): ScoreCase => ({
  name,
  start: (variant) =>
    startSite(({ path }) => {
      if (path === '/') return html('<img src="/files/logo.png" alt="">');
      if (path === '/files/') return variant === 'vulnerable' ? list(path) : html('<h1>Forbidden</h1>', 403);
      return files.includes(path.slice('/files/'.length)) ? { body: 'x' } : undefined;
    }),
});

const bucket: ScoreCase = {
  name: 'a bucket that lists itself',
  start: (variant) =>
    startSite(({ path }) => {
      const list = files.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join('');
      if (path === '/')
        return variant === 'vulnerable'
          ? page(
              `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>shop</Name>${list}</ListBucketResult>`,
              'application/xml',
            )
          : { ...page('<Error><Code>AccessDenied</Code></Error>', 'application/xml'), status: 403 };
      return files.includes(path.slice(1))
        ? { body: 'x' }
        : { ...page('<Error><Code>NoSuchKey</Code></Error>', 'application/xml'), status: 404 };
    }),
};

export const cases: ScoreCase[] = [...Object.entries(lists).map(folderCase), bucket];
