import { openIdentities } from '../login/identities.ts';
import { watchful } from '../login/watchful.ts';
import type { Omission } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { knowledgeOf } from '../probe/gate/knowledge.ts';
import type { ActivityTools } from './activity-tools.ts';
import { blockedBy, partCoverage, slowedText } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { omittedOf, openDocuments } from './documents.ts';
import { loginProofTools } from './gate-knowledge.ts';
import { inAudit } from './in-audit.ts';
import { leadsElsewhere } from './leads-elsewhere.ts';
import { nothingShown } from './nothing-shown.ts';
import { refusalReporter } from './refused.ts';
import { findSurface, keepSurface, lookWith, type SurveyOnce, withoutSession } from './surface.ts';
import { exploredByOthers, surfacesOfAlike } from './users-alike.ts';
import { recordVisits } from './visits-ledger.ts';

const surveyPart = (name: string): string => (name === '' ? 'survey' : `survey:${name}`);

/** Looks at the host once for each visitor; every check starts from what is stored here. */
export function surveyActivity(deps: AuditDeps): Pick<AuditActivities, 'survey'> {
  return {
    survey: ({ runId, identity: name, share }) =>
      inAudit(deps, { runId, share, part: { id: surveyPart(name) }, looksAs: name }, async (tools) => {
        const { run, context, probes } = tools;
        const part = surveyPart(name);
        const documents = await openDocuments(run, context);
        const look = lookWith(deps, documents.inside);
        const seen = name === '' ? { surface: await look(tools), remark: '' } : await lookAs(look, tools, name);
        const surface = await keepSurface(tools, name, seen.surface);
        await recordVisits(tools, name, surface);
        const requests = probes.requests();
        const obstruction = probes.obstruction();
        const omissions = [
          ...[...surface.omitted, ...refusalReporter(probes.gate, [surface])()].map((each) => ({
            ...each,
            subject: part,
          })),
          ...blockedBy(part, obstruction, requests),
          ...(name === '' ? [...omittedOf(documents), ...lackingListener(deps)] : []),
          ...(name === '' && context.logins.length === 0 ? notSeen(surface) : []),
        ];
        const remark = [seen.remark, headersText(context, surface), slowedText(obstruction)]
          .filter((each) => each !== '')
          .join('; ');
        await run.recordCoverage(partCoverage({ part, requests, omissions, remark }));
        return { requests };
      }),
  };
}

/** A site behind a gate that asks for a header would otherwise look as if it had nothing but the gate. */
function headersText({ headerNames, headersOverHttp }: ActivityTools['context'], { origins }: Surface): string {
  const isWithheld = headerNames.length > 0 && !headersOverHttp && origins.some(({ scheme }) => scheme === 'http');
  return isWithheld
    ? `the headers of the scope were sent over HTTPS only: set "headersOverHttp": true in the scope where they may be read on the way`
    : '';
}

/** Why what the checks say is about no application. */
function notSeen(surface: Surface): Omission[] {
  const elsewhere = leadsElsewhere(surface);
  return elsewhere.length > 0 ? elsewhere : nothingShown(surface);
}

type SurveyOutcome = { surface: Surface; remark: string };

/**
 * What was seen with a session that ended on the way is what anonymous visitors see: then it is looked at again, with a check of
 * the session.
 */
async function lookAs(look: SurveyOnce, tools: ActivityTools, name: string): Promise<SurveyOutcome> {
  const { run, probes } = tools;
  const identities = await openIdentities(loginProofTools(tools), [name]);
  const identity = identities.all[name];
  if (!identity) throw new Error(`the login "${name}" was not proven in this run`);
  const known = await findSurface(run, '');
  // What others were shown this visitor has not opened yet.
  if (known) probes.gate.learn({ ...knowledgeOf([known]), opened: [] });
  const alike = await surfacesOfAlike(tools, identity);
  const others = {
    explored: [...(known?.explored ?? []), ...(await exploredByOthers(tools, identity))],
    missing: alike.flatMap(({ missing = [] }) => missing),
    followsAlike: alike.length > 0,
    ...(known && { foundOrigins: known.origins }),
  };
  const surface = await look(tools, identity, others);
  if ((await identities.renew()).length === 0)
    return { surface: withoutSession(surface, identities.secrets()), remark: '' };
  const { http, ending } = watchful(probes.http, identity, identities);
  const again = await look({ ...tools, probes: { ...probes, http } }, identity, others);
  const paths = ending().map((url) => new URL(url).pathname);
  const remark =
    paths.length === 0
      ? 'the session ran out on the way and was renewed'
      : `left out, since it ends the session: ${paths.join(', ')}`;
  return { surface: withoutSession(again, identities.secrets()), remark };
}

/** Readers have to know what nobody looked for. */
const lackingListener = ({ openCallbacks }: AuditDeps): Omission[] => (openCallbacks ? [] : [noListener]);

const noListener: Omission = {
  code: 'no_callback_listener',
  subject: 'survey',
  count: 1,
  text: 'weaknesses that show only when the target calls back were not looked for: this installation has no listener for them',
};
