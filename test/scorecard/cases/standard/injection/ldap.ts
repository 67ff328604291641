import ldap from 'ldapjs';
import type { ScoreCase } from '../../../case.ts';
import { colleagues, colleaguesPage } from '../../../sites/people-list.ts';
import { startValuePage } from '../../../sites/value-page.ts';

type Directory = { search(filter: string | ldap.Filter): Promise<string>; close(): Promise<void> };

/** A directory on a socket of its own, and a client of it. */
async function openDirectory(): Promise<Directory> {
  const server = ldap.createServer();
  server.search('o=holm', (request: ldap.SearchRequest, response: { send(entry: object): void; end(): void }) => {
    for (const { name, office } of colleagues) {
      const attributes = { cn: name, l: office, objectClass: 'person' };
      if (request.filter.matches(attributes)) response.send({ dn: `cn=${name},o=holm`, attributes });
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const client = ldap.createClient({ url: server.url.replace('0.0.0.0', '127.0.0.1') });
  return {
    search: (filter) =>
      new Promise((resolve, reject) => {
        const rows: { name: string; office: string }[] = [];
        client.search('o=holm', { filter, scope: 'sub' }, (error, answer) => {
          if (error) return reject(error);
          answer.on('searchEntry', ({ pojo }) => {
            const of = (type: string) => pojo.attributes.find((each) => each.type === type)?.values[0] ?? '';
            rows.push({ name: of('cn'), office: of('l') });
          });
          answer.on('error', reject);
          answer.on('end', () => resolve(colleaguesPage(rows)));
        });
      }),
    async close() {
      await new Promise((resolve) => client.unbind(resolve));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const caseOf = (name: string, link: string, attribute: string, vulnerable: (value: string) => string): ScoreCase => ({
  name,
  async start(variant) {
    const directory = await openDirectory();
    const patched = (value: string) =>
      new ldap.AndFilter({
        filters: [
          new ldap.EqualityFilter({ attribute: 'objectClass', value: 'person' }),
          new ldap.EqualityFilter({ attribute, value }),
        ],
      });
    return startValuePage({
      link,
      make: (value) => directory.search(variant === 'vulnerable' ? vulnerable(value) : patched(value)),
      close: directory.close,
    });
  },
});

export const cases: ScoreCase[] = [
  caseOf('name behind a class', '/who?name=ada', 'cn', (name) => `(&(objectClass=person)(cn=${name}))`),
  caseOf('name before a class', '/who?name=ada', 'cn', (name) => `(&(cn=${name})(objectClass=person))`),
  caseOf('name beside a place that finds somebody anyway', '/who?name=ada', 'cn', (name) => `(|(cn=${name})(l=south))`),
  caseOf('place beside two others', '/who?office=south', 'l', (l) => `(&(objectClass=person)(cn=*)(l=${l}))`),
];
