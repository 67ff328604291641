import { type CaptureRule, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface } from '../../model/surface.ts';
import { kindOfForm } from '../../probe/gate/structure.ts';
import { decoded, tokensOf } from '../../probe/gate/words/spelling.ts';
import { endsSession } from '../../probe/session-words.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { parsePage } from '../../survey/page.ts';
import { formRequest, formSteps } from './form-fields.ts';

/** What a page offers to end the session with, as steps in a session: the page is loaded, then the session is ended. */
export type Logout = { url: string; method: 'GET' | 'POST'; steps: Step[] };

/** Words of what ends more than the session that asks, or asks somebody else to end theirs. */
const notOwn =
  /^(?:(?:log|sign)(?:out|off))?(?:all(?:sessions?)?|every(?:where|one|body)?|others?|(?:all|other)?devices?|delet(?:e[ds]?|ion|ing)|deactivat(?:e[ds]?|ion|ing))$/;
/** A name as sites write them; a token has digits among its letters. */
const nameLike = /^[\p{L}\p{M}._ -]+$/u;

/** @param session how the steps are attached to the session that is to end */
export function findLogout({ text, request }: Exchange, session: Pick<Step, 'session'>): Logout | undefined {
  const { forms, links } = parsePage(text, request.url);
  const form = forms.find((each) => isOwn(each.action, request.url) && kindOfForm(each).kind === 'ends-session');
  if (form) return byForm(form, text, session);
  const link = links.find(
    ({ url }) => isOwn(url, request.url) && endsSession.test(new URL(url).pathname + new URL(url).search),
  );
  return link && byLink(link.url, { url: request.url, html: text }, session);
}

function isOwn(url: string, pageUrl: string): boolean {
  const { origin, pathname, searchParams } = new URL(url);
  const names = [...pathname.split('/').map(decoded), ...[...searchParams].flat()].filter((name) =>
    nameLike.test(name),
  );
  return origin === new URL(pageUrl).origin && !names.flatMap(tokensOf).some((word) => notOwn.test(word));
}

const notes = {
  load: 'A page of the session, from which the user logs out.',
  send: 'The user logs out.',
};

const byForm = (form: FormSurface, html: string, session: Pick<Step, 'session'>): Logout => ({
  url: form.action,
  method: form.method,
  steps: formSteps(form, formRequest(form, html), session, notes),
});

/** Some sites put a token into the address of the link; a new session has another one. */
function byLink(url: string, page: { url: string; html: string }, session: Pick<Step, 'session'>): Logout {
  const captures: CaptureRule[] = [];
  const query = [...new URL(url).searchParams].map(([name, value]) => {
    const pattern = `[?&;]${escapePattern(name)}=([^"'&<>\\s]+)`;
    const isToken = value.length >= 8 && firstMatch(pattern, page.html)?.groups[0] === value;
    if (isToken) captures.push({ name: `token${captures.length + 1}`, subject: 'body', pattern, secret: true });
    return `${encodeURIComponent(name)}=${isToken ? `‹token${captures.length}›` : encodeURIComponent(value)}`;
  });
  const target = query.length === 0 ? url : `${url.replace(/[?#].*$/s, '')}?${query.join('&')}`;
  return {
    url,
    method: 'GET',
    steps: [
      {
        http: { url: page.url },
        ...session,
        note: notes.load,
        expect: [claim('status', 'equals', '200')],
        ...(captures.length > 0 ? { capture: captures } : {}),
      },
      {
        http: { url: target, headers: [['Referer', page.url]] },
        hasEffect: true,
        ...session,
        note: notes.send,
        expect: [claim('status', 'less-than', '400')],
      },
    ],
  };
}
