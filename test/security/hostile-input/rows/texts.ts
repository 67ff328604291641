import { create } from '@bufbuild/protobuf';
import { JsonLoginSchema, LoginSchema } from '../../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { findSigningSecrets } from '../../../../workflows/chains/signing-secrets.ts';
import { privilegeOf } from '../../../../workflows/checks/access/privileged-page.ts';
import { importNamesIn, membersIn, namesIn } from '../../../../workflows/checks/client/address-names.ts';
import { librariesIn } from '../../../../workflows/checks/client/library-files.ts';
import { messageVisits, readsMessages } from '../../../../workflows/checks/client/message-visits.ts';
import { tokensIn } from '../../../../workflows/checks/client/stored-tokens.ts';
import { addressesInStyle } from '../../../../workflows/checks/client/style-sheets.ts';
import { scriptStateAt } from '../../../../workflows/checks/dom/script-state.ts';
import { readSettings } from '../../../../workflows/checks/exposure/settings-file.ts';
import { traceIn } from '../../../../workflows/checks/exposure/stack-traces.ts';
import { secretsIn } from '../../../../workflows/checks/files/secret-formats.ts';
import { sqlErrorIn } from '../../../../workflows/checks/injection/sql-errors.ts';
import { shippedLibraryData } from '../../../../workflows/checks/library-data.ts';
import { adminPathsIn } from '../../../../workflows/checks/pages/admin-paths.ts';
import { mapReferenceIn } from '../../../../workflows/checks/pages/map-reference.ts';
import { routesInDescription, routesInSources } from '../../../../workflows/checks/pages/route-templates.ts';
import { textsOf } from '../../../../workflows/checks/sessions/private-text.ts';
import { accountOf, isSameAccount } from '../../../../workflows/login/account.ts';
import { logInByJson } from '../../../../workflows/login/json-login.ts';
import { findMarker } from '../../../../workflows/login/marker.ts';
import { refusalIn } from '../../../../workflows/login/refusal.ts';
import { claim } from '../../../../workflows/model/experiment.ts';
import type { HttpProbe } from '../../../../workflows/model/http.ts';
import { jsonAt } from '../../../../workflows/model/json-pointer.ts';
import { scalarsIn } from '../../../../workflows/model/php-values.ts';
import { answerOf, stableIn } from '../../../../workflows/permissions/answer.ts';
import { decodedText } from '../../../../workflows/probe/html/decoded-text.ts';
import { clearest, piecesOf } from '../../../../workflows/probe/html/page-pieces.ts';
import { blockPageOf } from '../../../../workflows/probe/http/block-page.ts';
import { createJar } from '../../../../workflows/probe/http/cookies.ts';
import { observationOf } from '../../../../workflows/proof/evidence.ts';
import { logKind } from '../../../../workflows/proof/files/log-lines.ts';
import { logSecrets } from '../../../../workflows/proof/files/log-secrets.ts';
import { privateKeys } from '../../../../workflows/proof/files/private-keys.ts';
import { secretSettingNames, settingFormats, settingNames } from '../../../../workflows/proof/files/settings.ts';
import { createRedactor } from '../../../../workflows/proof/redact.ts';
import { sourcesIn } from '../../../../workflows/proof/source-map.ts';
import { createClientAddresses } from '../../../../workflows/survey/client-addresses.ts';
import { linksInJson, linksInRobots, linksInScript, linksInXml } from '../../../../workflows/survey/text.ts';
import { answer, pageUrl } from '../answer.ts';
import { type Row, row } from '../row.ts';
import { hostileJson, hostilePhp, hostileTexts } from '../texts.ts';

type Reader = { covers?: string[]; texts?: Record<string, () => string>; read(text: string): unknown };

const claims = [claim('body', 'contains', 'a')];
const quiet = { leave: () => {} };
const redactor = createRedactor(['s3cr3t value', 'a&b<c>d"e'], [['X-Key', 'abc']]);

/** What reads an answer as text. */
const readers: Record<string, Reader> = {
  'paths of administration': { read: adminPathsIn },
  'names that a script asks for': {
    read: (text) => [namesIn(quiet, [text]), membersIn(quiet, [text]), importNamesIn(quiet, [text])],
  },
  'a text that is compared': { read: decodedText },
  'libraries in a script': { read: (text) => librariesIn(shippedLibraryData, answer(text)) },
  'the map of a script': { read: (text) => mapReferenceIn(answer(text)) },
  'messages that a script takes': {
    read: (text) => [readsMessages(text), messageVisits({ ...quiet, nonce: () => 'x' }, pageUrl, [text])],
  },
  'pieces of a page': { read: (text) => clearest(piecesOf(text), 5) },
  'texts of JSON': {
    covers: ['workflows/checks/sessions/private-text.ts'],
    read: (text) => textsOf(text, 'application/json'),
  },
  'accounts in JSON': {
    covers: ['workflows/checks/access/privileged-page.ts'],
    read: (text) => privilegeOf(answer(text, { type: 'application/json' }), { leave: () => {} }),
  },
  'routes of a script': { read: (text) => routesInSources([text], 'http://shop.example') },
  'routes of a description': {
    covers: ['workflows/checks/pages/route-templates.ts'],
    read: (text) => routesInDescription(text, pageUrl),
  },
  'the state of a script': { read: (text) => scriptStateAt(text, text.length - 1) },
  'secrets of known formats': { covers: ['workflows/checks/files/secret-check-sums.ts'], read: secretsIn },
  'a file of settings': { read: readSettings },
  'secrets that sign': { read: (text) => findSigningSecrets('.env', text, () => false) },
  'an error of SQL': { read: (text) => sqlErrorIn(text, text) },
  'a stack trace': { covers: ['workflows/proof/pattern.ts'], read: (text) => traceIn(500, text.slice(0, 512 * 1024)) },
  'tokens in the storage of a page': {
    covers: ['workflows/checks/client/stored-tokens.ts'],
    read: (text) => tokensIn(quiet, { local: { entry: text }, session: {} }),
  },
  'addresses in a style sheet': { read: addressesInStyle },
  'whose account it is': {
    covers: ['workflows/login/json-path.ts'],
    read: (text) => {
      const page = { status: 200, text };
      const session = { jar: { all: () => [] }, headers: [] } as never;
      const one = accountOf(create(LoginSchema), session, [{ url: pageUrl, mine: [page, page], anonymous: [] }]);
      return isSameAccount(one, one);
    },
  },
  'whether two accounts are the same': {
    read: (text) => {
      const session = { jar: { all: () => [] }, headers: [] } as never;
      const pagesOf = (own: string) =>
        [1, 2, 3].map((index) => {
          const page = { status: 200, text: `${own} ${text.slice(0, 512 * 1024)}` };
          return { url: `${pageUrl}/${index}`, mine: [page, page], anonymous: [] };
        });
      const [one, other] = ['anna@shop.example', 'bob@shop.example'].map((own) =>
        accountOf(create(LoginSchema), session, pagesOf(own)),
      );
      return one && other && isSameAccount(one, other);
    },
  },
  'what shows who is logged in': {
    read: (text) =>
      findMarker(
        [
          { status: 200, text },
          { status: 200, text },
        ],
        [{ status: 200, text }],
      ),
  },
  'why a login was refused': {
    read: (text) => refusalIn({ url: pageUrl, status: 200, text }, { password: true, code: true }),
  },
  'the answer to a login': {
    covers: ['workflows/login/json-login.ts'],
    read: (text) => {
      const given = answer(text, { type: 'application/json', headers: [['set-cookie', text.slice(0, 16_000)]] });
      const http = { send: async () => given } as unknown as HttpProbe;
      const login = create(JsonLoginSchema, { username: 'ann', password: 'secret' });
      return logInByJson(http, login, { url: pageUrl, jar: createJar(), codes: undefined, totp: undefined }).catch(
        () => {},
      );
    },
  },
  'the answer of a permission': {
    read: (text) => stableIn(answerOf(answer(text, { type: 'text/plain' })), answer(text, { type: 'text/plain' })),
  },
  'links in a script': { read: (text) => linksInScript(text, pageUrl, createClientAddresses()) },
  'links in JSON': { covers: ['workflows/survey/text.ts'], read: (text) => linksInJson(text, pageUrl) },
  'links in robots.txt': { read: (text) => linksInRobots(text, pageUrl) },
  'links in a site map': { read: (text) => linksInXml(text, pageUrl) },
  'a block page': { read: (text) => blockPageOf(answer(text)) },
  'the type of a log': { read: logKind },
  'the secrets of a log': { read: logSecrets },
  'private keys': { read: (text) => privateKeys(Buffer.from(text)) },
  'a value of JSON': { covers: ['workflows/model/json-pointer.ts'], read: (text) => jsonAt(text, '/0') },
  'values that PHP has serialized': { texts: hostilePhp, read: scalarsIn },
  'redacted text': { read: redactor.text },
  'evidence of an answer': {
    read: (text) => observationOf({ kind: 'http', exchange: answer(text) }, claims, redactor),
  },
  'a source map': { covers: ['workflows/proof/source-map.ts'], read: sourcesIn },
  ...Object.fromEntries(
    settingFormats.map((format): [string, Reader] => [
      `settings in ${format}`,
      {
        covers: ['workflows/proof/files/settings.ts'],
        read: (text) => {
          const fitting = text.slice(0, format === 'xml' || format === 'yaml' ? 65_536 : 262_144);
          return [settingNames(format, fitting), secretSettingNames(format, fitting)];
        },
      },
    ]),
  ),
};

/** What parses is given JSON as well. */
const textsFor = ({ covers = [], texts }: Reader): Record<string, () => string> =>
  texts ?? (covers.length > 0 ? { ...hostileTexts, ...hostileJson } : hostileTexts);

/** Measured with every change. */
const usual = new Set(['different quoted texts', 'one object of very many members', 'arrays in arrays']);

export const textRows: Row[] = Object.entries(readers).flatMap(([reader, given]) =>
  Object.entries(textsFor(given)).map(([text, make]) =>
    row(`${reader}: ${text}`, given.covers ?? [], make, given.read, !usual.has(text)),
  ),
);
