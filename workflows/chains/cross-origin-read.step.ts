import { type ProfileForm, profileForms } from '../checks/accounts/profile-forms.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { trustsEveryone, uncached } from '../checks/sessions/cors.ts';
import { crossSiteCookies } from '../checks/sessions/cross-site-cookies.ts';
import { foreignOrigin, readsStep, sentClaims } from '../checks/sessions/foreign-page.ts';
import { formBody, formUndo, formVerify, ownPageHeaders, tokenSteps } from '../checks/sessions/own-forms.ts';
import { canLogIn, cookieHeader } from '../checks/sessions/own-sessions.ts';
import { type OwnText, ownTextAt } from '../checks/sessions/own-texts.ts';
import type { Candidate } from '../model/candidate.ts';
import { type CaptureRule, claim, type Experiment, type Step } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import type { Identity } from '../model/identity.ts';

type CrossOriginRead = {
  user: string;
  url: string;
  /** Cookies that browsers send from other sites, and that are enough to be shown the text. */
  cookies: string[];
  own: OwnText;
  /** Changes what the answer shows, so that the text can be one that was never there before. */
  form?: ProfileForm;
};

/** Forms that are looked at for one whose value the answer shows. */
const maxForms = 3;

/** Any site reads what a user is shown, while the user looks at it. Source: CWE-942 with CWE-1275. */
export const crossOriginRead = defineChainStep<CrossOriginRead>({
  id: 'chains.cross-origin-read',
  title: 'Cross-origin theft of user data (CORS with a cross-site session cookie)',
  cwe: 942,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  risk: 'caution',
  needs: [{ kind: 'cross-origin-read' }, { kind: 'cross-site-session' }],
  goal: "read(other user's data)",
  cost: 25,

  async detect(context, [answer, session]) {
    const data = await bind(context, answer, session);
    return data ? [candidateFor(data)] : [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Two weaknesses combine: the cookie that makes the session is sent with requests of other sites (SameSite=None), and the answers to it may be read by every origin. A browser with a session opened a page of a site that has nothing to do with this one, and a script in it read what only the user is shown.',
    impact:
      'Whoever gets a logged-in user to look at a page of theirs, an advertisement in one included, reads the user’s data unseen: names, addresses, orders, and tokens with which more can be done. It takes no mistake of the user and works on any number of them at once, in every browser that does not block cookies of other sites.',
    sends:
      'Logs in anew as the user, asks with a foreign `Origin`, and opens a page of a random foreign origin in a browser with the session. Where a profile text is shown there, writes a random one through its form; the form puts the old text back, and a read verifies it.',
    proves:
      'A foreign page in a real browser reads a text that only the user is shown, with cookies that browsers send across sites; without the session it reads nothing of it. An attacker’s page reads the data of each user who opens it.',
    remedy:
      'Answer only origins of a list with Access-Control-Allow-Origin, and set SameSite=Lax on the session cookie. Either breaks the chain; do both, since the one alone leaves other origins of the site, and the other forged requests.',
    references: [
      'Fetch Standard, CORS: https://fetch.spec.whatwg.org/#http-cors-protocol',
      'RFC 6265bis, SameSite: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-8.8',
      'CWE-942: https://cwe.mitre.org/data/definitions/942.html',
      'CWE-1275: https://cwe.mitre.org/data/definitions/1275.html',
    ],
  },
});

/** The cookies have to be enough for the very answer that may be read; both are looked at before anything is written. */
async function bind(context: CheckContext, answer?: Fact, session?: Fact): Promise<CrossOriginRead | undefined> {
  const url = answer?.subject ?? '';
  const identity = context.identities[answer?.attributes.identity ?? ''];
  const names = (session?.attributes.cookies ?? '').split(' ').filter(Boolean);
  if (!identity || !canLogIn(identity) || URL.parse(url)?.origin !== session?.subject) return undefined;
  const other = await context.logIn(identity.name);
  const cookies = crossSiteCookies(other.jar, url).filter(({ name }) => names.includes(name));
  if (cookies.length === 0 || !(await trustsEveryone(context, other, url))) return undefined;
  const own = await ownTextAt(context, identity, other, url);
  if (!own) return undefined;
  const shown = await context.http.get(url, { headers: [['Cookie', cookieHeader(cookies)]], fresh: true });
  if (!shown.text.includes(own.text)) return undefined;
  const form = await formShownIn(context, identity, shown.text);
  const data = { user: identity.name, url, cookies: cookies.map(({ name }) => name), own };
  return form ? { ...data, form } : data;
}

/** A shorter value stands in an answer by chance. */
const minLength = 4;

async function formShownIn(context: CheckContext, user: Identity, text: string): Promise<ProfileForm | undefined> {
  const forms = await profileForms(context, user, maxForms);
  return forms.find(({ before }) => before.length >= minLength && text.includes(before));
}

const candidateFor = (data: CrossOriginRead): Candidate<CrossOriginRead> => ({
  location: { url: data.url },
  detail: data.form
    ? `"${data.user}" wrote a random text into their profile, and a page of another site read it; it was taken back.`
    : `A page of another site read a text that only "${data.user}" is shown.`,
  data,
});

function experimentFor(data: CrossOriginRead): Experiment {
  const { user, cookies, form } = data;
  const url = uncached(data.url, '‹nonce3›');
  const origin = foreignOrigin(url);
  const text = form ? '‹nonce2›' : '‹private›';
  const visit = readsStep(
    { origin, url, identity: user, note: 'In the browser of the user, a page of that site reads the text.' },
    text,
  );
  return {
    steps: [
      ...(form ? planted(form, user) : []),
      { ...answered(data, url, origin), ...(form ? {} : { capture: [remembered(data)] }) },
      { ...visit, expect: [...sentClaims(url, cookies), ...visit.expect] },
    ],
    control: [readsStep({ origin, url, note: 'Without the session the page does not read it.' }, text)],
  };
}

/** What a reader can repeat without a browser. */
const answered = ({ user, form }: CrossOriginRead, url: string, origin: string): Step => ({
  http: { url, headers: [['Origin', origin]] },
  identity: user,
  note: 'The answer to the user has a text that only they are shown, and lets another site read it.',
  expect: [
    claim('status', 'equals', '200'),
    claim('headers:access-control-allow-origin', 'equals', origin),
    claim('headers:access-control-allow-credentials', 'equals', 'true'),
    ...(form ? [claim('body', 'contains', '‹nonce2›')] : []),
  ],
});

const remembered = ({ own }: CrossOriginRead): CaptureRule => ({
  name: 'private',
  subject: 'body',
  pattern: own.pattern,
  secret: true,
});

const planted = (form: ProfileForm, user: string): Step[] => [
  ...tokenSteps(form, user),
  {
    http: {
      method: 'POST',
      url: form.action,
      headers: ownPageHeaders(form),
      body: formBody(form, { [form.field]: '‹nonce2›' }, form.tokens),
      secrets: form.fields.map(({ value }) => value).filter(({ length }) => length >= minLength),
      write: {
        description: `The field ${form.field} of "${user}" is changed.`,
        undo: formUndo(form),
        verify: formVerify(form),
      },
    },
    identity: user,
    note: 'The user writes a random text into their profile.',
    expect: [claim('status', 'less-than', '400')],
  },
];
