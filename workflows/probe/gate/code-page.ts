import type { ReadAddress } from './urls.ts';

/** A login's own parts: what is verified there is who has just come in, with a code that only a form sends. */
const ofLogin =
  /^(?:log-?_?in|sign-?_?in|auth|authenticate|2fa|mfa|otp|totp|tfa|two-?_?(?:factor|step)|second-?_?factor|challenge|code|verify|verification)$/i;
const checking =
  /^(?:verify|verification)(?:[-_](?:2fa|mfa|otp|totp|code|login))?$|^(?:2fa|mfa|otp|totp|login)[-_](?:verify|confirm)$/i;
const maxParts = 3;

/** Where a login asks for its second factor: "/verify", "/login/otp/verify". Opened without a code it has nothing to verify. */
export function isCodePage(url: string, { acting, hasQuery, hasIdentifier }: ReadAddress): boolean {
  if (acting === undefined || hasQuery || hasIdentifier || !/^(?:verif|confirm)/i.test(acting.word)) return false;
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  const names = parts.map((part) => part.replace(/\.[a-z]{1,5}$/i, ''));
  return (
    names.length <= maxParts &&
    checking.test(names.at(-1) ?? '') &&
    names.slice(0, -1).every((name) => ofLogin.test(name))
  );
}
