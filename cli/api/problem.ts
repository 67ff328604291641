import { readJson } from '../../kit/json.ts';
import { Trouble } from '../trouble.ts';
import { Problem } from './schemas.ts';

/** An answer that is no success, as one line that says what to do. */
export class ApiRefusal extends Trouble {
  override name = 'Refused';
  /** HTTP status. */
  readonly status: number;
  /** For instance "not_found"; "" when the answer did not come from the service. */
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Reads the body of an answer. @param apiUrl named when the answer cannot be one of the service */
export async function readRefusal(answer: Response, apiUrl: string): Promise<ApiRefusal> {
  const { status } = answer;
  const location = answer.headers.get('location');
  if (status >= 300 && status < 400)
    return new ApiRefusal(
      status,
      '',
      `${apiUrl} answers with a redirect to ${location}: give the API's own address as --api.`,
    );
  const problem = parseProblem(await answer.text().catch(() => ''));
  if (!problem)
    return new ApiRefusal(
      status,
      '',
      `${apiUrl} answered ${status}, and not as this API does: check the address in --api.`,
    );
  return new ApiRefusal(status, problem.code, explain(problem, status));
}

/** Many times what one of ours takes; longer ones come from somebody else. */
const maxProblemLength = 64 * 1024;

function parseProblem(text: string): Problem | undefined {
  if (text.length > maxProblemLength) return undefined;
  const problem = Problem.safeParse(readJson(text));
  return problem.success && problem.data.code !== '' ? problem.data : undefined;
}

/** What to do about a refusal, by its code; undefined where the service's own words say it. */
const advice: Record<string, (problem: Problem) => string | undefined> = {
  missing_key: () => 'The API key was refused (401): set SCAN_AUDIT_KEY to a valid key of your organisation.',
  invalid_key: () =>
    'The API key was refused (401): it is wrong, expired or revoked. Put a valid key of your organisation in SCAN_AUDIT_KEY.',
  out_of_credit: ({ checkoutHint }) =>
    `No scan credit is left (402). ${checkoutHint?.message ?? 'Buy credit, then start the scan again.'}${
      checkoutHint?.url === undefined ? '' : ` ${checkoutHint.url}`
    }`,
  api_access_not_in_plan: () =>
    "Your organisation's plan does not include the API (403): change the plan, then try again.",
  deep_not_entitled: () =>
    "Your organisation's plan does not include deep scans (403): leave --deep out, or change the plan.",
  insufficient_scope: ({ requiredScope }) =>
    `The API key may not do this (403): use a key with the scope ${requiredScope ?? 'that it needs'}.`,
  wrong_key_kind: () =>
    "The API key is not one of an organisation (403): use a key that your organisation's API issued.",
  domain_not_verified: ({ ownership }) =>
    ownership &&
    `${ownership.domain} is not verified for your organisation (403): ${proofOf(ownership)}, then start the scan again.`,
  not_found: () => "There is no such scan for this key's organisation (404): check the run id, and whose key this is.",
  scan_not_completed: ({ scanStatus }) =>
    scanStatus === 'queued' || scanStatus === 'running'
      ? `The scan is ${scanStatus}: wait for its end with "scan-audit scans watch", then ask again.`
      : `The scan is ${scanStatus ?? 'not completed'}, so it has no results: start another one.`,
  scan_finished: ({ scanStatus }) => `The scan is ${scanStatus ?? 'finished'} already: there is nothing to cancel.`,
};

function proofOf({ domain, methods }: { domain: string; methods: readonly string[] }): string {
  const own = methods.filter((method) => method !== 'operator');
  if (own.length === 0) return 'ask the operator of the service to approve it';
  return `register it with POST /api/v1/domains {"domain": "${domain}"}, publish one of the proofs that it answers (${own.join(', ')}), confirm with POST /api/v1/domains/${domain}/verify`;
}

function explain(problem: Problem, status: number): string {
  const known = advice[problem.code]?.(problem);
  if (known !== undefined) return known;
  const said = [problem.title, problem.detail].filter(Boolean).join(': ');
  const request = status >= 500 && problem.requestId !== undefined ? ` Request id: ${problem.requestId}` : '';
  return `${said} (${status}, ${problem.code}).${request}`;
}
