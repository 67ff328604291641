import type { OmissionCode } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import type { LoginFailure } from './login-error.ts';
import type { ProbeErrorCode } from './probe-error.ts';

/** A code of the contract as a word, for instance "would_write". Its option there distinguishes a gap from a limit. */
export type OmissionWord = Exclude<Lowercase<keyof typeof OmissionCode>, 'unspecified'>;

/** Something that the scan left out, as scanaudit.v1.Omission. */
export type Omission = {
  code: OmissionWord;
  /** A check, a family, another part of the scan, or an address. */
  subject: string;
  /** At least 1. */
  count: number;
  text: string;
  /** Places that the write gate refused, by which they are counted once. */
  places?: string[];
};

/** The same before it is known who reports it. */
export type Omitted = Omit<Omission, 'subject'>;

/** The settings that close a gap of the budget. */
export const budgetAdvice =
  "Leave out what need not be looked at (excludedPaths of the domain's scope); a deep scan has ten times the requests of a standard one";

type LoginType = `login_${LoginFailure}`;

/** What a failure of an instrument or of a login leaves out. A canceled scan records nothing. */
const codes: Record<Exclude<ProbeErrorCode, 'canceled'>, OmissionWord> & Record<LoginType, OmissionWord> = {
  budget_exhausted: 'budget',
  out_of_time: 'time',
  session_lost: 'login_lost',
  ends_session: 'would_act',
  excluded: 'excluded',
  refused: 'would_act',
  // The guard lets neither through, so nobody knows what is there.
  forbidden_address: 'unreachable',
  out_of_scope: 'unreachable',
  dns_failed: 'unreachable',
  unreachable: 'unreachable',
  timeout: 'unreachable',
  tls_failed: 'unreachable',
  protocol_error: 'unreachable',
  too_large: 'page_cut',
  blocked: 'blocked',
  unavailable: 'browser_unavailable',
  turned_off: 'instrument_off',
  browser_failed: 'browser_failed',
  login_wrong_credentials: 'login_not_proven',
  login_locked: 'login_not_proven',
  login_captcha: 'login_not_proven',
  login_rate_limited: 'login_not_proven',
  login_code_needed: 'login_not_proven',
  login_code_refused: 'login_not_proven',
  login_no_form: 'login_not_proven',
  login_needs_browser: 'login_not_proven',
  login_no_token: 'login_not_proven',
  login_refused: 'login_not_proven',
  login_site_down: 'login_lost',
  login_elsewhere: 'login_not_proven',
  login_no_marker: 'login_not_proven',
  login_same_account: 'login_not_proven',
  login_lost: 'login_lost',
};

/**
 * What something left out that ended with a failure.
 * @param type code of a ProbeError, or "login_" with the failure of a LoginError
 * @param otherwise for any other type
 */
export function omissionCodeOf(type: string, otherwise: OmissionWord): OmissionWord {
  if (type.startsWith(reported)) return type.slice(reported.length) as OmissionWord;
  return Object.hasOwn(codes, type) ? codes[type as keyof typeof codes] : otherwise;
}

const reported = 'omitted_';

/** Type of a failure that states itself what was left out. */
export const omissionType = (code: OmissionWord): string => `${reported}${code}`;
