import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Identity, OwnSession } from '../../model/identity.ts';
import type { Surface } from '../../model/surface.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { crossSiteCookies } from '../sessions/cross-site-cookies.ts';
import { withOwnSession } from '../sessions/own-sessions.ts';
import { type OwnText, ownTextOf } from '../sessions/own-texts.ts';

type SocketMessage = { url: string; body: string };
type AnsweredMessage = SocketMessage & { user: string; own: OwnText };

const maxMessages = 5;
/** A token, by its length and its digits. */
const tokenLike = /(?=[\w+/=-]*\d)[\w+/=-]{16}/;
const stranger = 'https://‹nonce›.invalid';

/** From another origin of the site alone: whoever reads has to have one. Source: FIRST, CVSS v3.1, attack complexity. */
const sameSiteOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N';

/** A WebSocket gives pages of every origin what the user is shown: the rules of CORS do not hold for it. Source: CWE-1385, RFC 6455 §10.2, WSTG-CLNT-10. */
export const websocketOrigin = defineCheck<AnsweredMessage>({
  id: 'cors.websocket-origin',
  title: 'Cross-site WebSocket hijacking: data of a logged-in user is sent to any origin',
  cwe: 1385,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',
  cost: 10,

  detect: (context) =>
    withOwnSession<AnsweredMessage>(context, async (session, _page, identity) => {
      const messages = messagesIn(context.surfaces[identity.name] ?? context.surface);
      if (session.headers.length > 0)
        return notApplicable('Requests of the user have a header that pages of other sites cannot send.');
      if (messages.length === 0) return notApplicable('No page of the user sends a message over a WebSocket.');
      const candidates: Candidate<AnsweredMessage>[] = [];
      for (const message of likeliest(context, messages, maxMessages, 'messages over WebSockets')) {
        if (session.jar.header(message.url) === '') continue;
        const known = context.identities[identity.name] ?? identity;
        const own = await unlessLeftOut(() =>
          ownTextOf(context, session, known, (visitor) => sendAs(context, message, visitor)),
        );
        if (own) candidates.push(candidateFor({ ...message, user: identity.name, own }, session));
      }
      return candidates;
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page of any origin may open a WebSocket, and browsers send the cookies of the user along: whether it may is for the server to decide, by the Origin header of the handshake. This one gave data of the logged-in user to an origin that nobody has ever heard of.',
    impact:
      'A page of the attacker reads what the user is shown over the connection, and sends messages in their name, while they look at it. How near the page has to be depends on the session cookie: with SameSite=None every site on the web will do; otherwise it takes another origin of the same site.',
    sends:
      'Logs a test identity in, and sends up to 5 messages that its pages send over a WebSocket, with a random `Origin`, as that user, other users and nobody.',
    proves:
      'With the cookies of the user and a foreign Origin, the messages that answer have a text that only the user is shown; without the session they do not. No message has a token that other sites would not know. An attacker’s page reads the user’s data.',
    remedy:
      'Compare the Origin of the handshake with a list and refuse others: ws `verifyClient`, Socket.IO `cors: { origin: ["https://app.example.com"] }` with `allowRequest`, Spring `setAllowedOrigins("https://app.example.com")`, Django Channels `AllowedHostsOriginValidator`, Go gorilla `CheckOrigin`, Rails `action_cable.allowed_request_origins`. Or let the first message have a token of the session that a page of the site is given. Set SameSite=Lax on the session cookie.',
    references: [
      'CWE-1385: https://cwe.mitre.org/data/definitions/1385.html',
      'RFC 6455 §10.2: https://www.rfc-editor.org/rfc/rfc6455#section-10.2',
      'WSTG-CLNT-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/10-Testing_WebSockets',
    ],
  },
});

/** Messages that pages send, each once. One with a token cannot be made by a page of another site. */
function messagesIn({ calls }: Surface): SocketMessage[] {
  const sent = calls.flatMap(({ url, body }) => (/^wss?:/i.test(url) && body !== undefined ? [{ url, body }] : []));
  const known = sent.filter(({ url, body }) => !tokenLike.test(new URL(url).search) && !tokenLike.test(body));
  return [...new Map(known.map((message) => [`${message.url} ${message.body}`, message])).values()];
}

const actionFor = ({ url, body }: SocketMessage, origin: string): HttpAction => ({
  ...{ method: 'POST', url, body },
  headers: [
    ['content-type', 'application/json'],
    ['Origin', origin],
  ],
});

function sendAs({ http, nonce }: CheckContext, message: SocketMessage, visitor?: Identity) {
  const { headers = [], ...action } = actionFor(message, stranger.replace('‹nonce›', nonce()));
  return http.send({
    ...action,
    ...(visitor && { jar: visitor.jar }),
    headers: [...headers],
    fresh: true,
  });
}

function candidateFor(data: AnsweredMessage, { jar }: OwnSession): Candidate<AnsweredMessage> {
  const isForeign = crossSiteCookies(jar, data.url).length > 0;
  return {
    location: { url: data.url, method: 'GET', parameter: 'Origin', parameterIn: 'header' },
    detail: isForeign
      ? `A page of another site is sent a text that only "${data.user}" is shown.`
      : `A page of another origin of the same site is sent a text that only "${data.user}" is shown; cookies of this session are not sent from other sites.`,
    ...(isForeign ? {} : { cvss: sameSiteOnly }),
    data,
  };
}

function experimentFor({ user, own, ...message }: AnsweredMessage): Experiment {
  const step = (note: string, more: Partial<Step> & Pick<Step, 'expect'>): Step => ({
    http: actionFor(message, stranger),
    note,
    ...more,
  });
  return {
    steps: [
      step('With the cookies of the user, the server answers an origin that nobody has ever heard of.', {
        identity: user,
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern: own.pattern, secret: true }],
      }),
    ],
    control: [step('Without them it does not send this text.', { expect: [claim('body', 'contains', '‹private›')] })],
  };
}
