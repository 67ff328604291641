/**
 * Why a login was not proven:
 * - `wrong_credentials`, `locked`, `captcha`, `rate_limited`, `code_needed`, `code_refused`: the site said so
 * - `no_form`, `needs_browser`: what asks for the credentials was not found, or works by script only
 * - `no_token`, `refused`: a JSON login was answered otherwise than its settings say
 * - `site_down`, `elsewhere`: the login did not answer, or is not on the audited host
 * - `no_marker`: the credentials were sent, and nothing shows who is logged in
 * - `same_account`: it is the account of another identity
 * - `lost`: a session that was proven does not come back
 */
export type LoginFailure =
  | 'wrong_credentials'
  | 'locked'
  | 'captcha'
  | 'rate_limited'
  | 'code_needed'
  | 'code_refused'
  | 'no_form'
  | 'needs_browser'
  | 'no_token'
  | 'refused'
  | 'site_down'
  | 'elsewhere'
  | 'no_marker'
  | 'same_account'
  | 'lost';

/** A login that did not work; the message says in one sentence where and why. No secret is in it. */
export class LoginError extends Error {
  override name = 'LoginError';
  readonly failure: LoginFailure;
  constructor(failure: LoginFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
