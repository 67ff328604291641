import { LoginError } from '../model/login-error.ts';
import { visibleText } from '../probe/html/text.ts';
import { lockedWords, wrongWords } from '../probe/refusing-words.ts';
import { findAll, findCodeForm, findPasswordForm } from './find-form.ts';
import { formsRead } from './page-forms.ts';

/** The page or answer that a login ended at. */
export type Landing = { url: string; status: number; text: string };

const captchaMarks =
  /class=["']?[^"'>]{0,100}\b(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|geetest)|google\.com\/recaptcha|hcaptcha\.com|challenges\.cloudflare\.com|arkoselabs|name=["']?[\w-]*captcha|captcha-delivery\.com/i;
const captchaWords = /captcha|i.?m not a robot|ich bin kein roboter|je ne suis pas un robot|no soy un robot/i;

/** A page that says nothing but that. */
const maxNotice = 400;
/** Longer texts are articles, which talk about anything. */
const maxTextLength = 20_000;

/**
 * What the site says about a login that did not work, as an error, most certain first; undefined when it says nothing.
 * Only asked when the login is known not to have worked: any page may hold such words.
 * @param sent what was sent, so that a page that asks for more is distinguished from one that refuses
 */
export function refusalIn(
  { url, status, text }: Landing,
  sent: { password: boolean; code: boolean },
): LoginError | undefined {
  const words = visibleText(text).replace(/\s+/g, ' ').slice(0, maxTextLength);
  if (status === 429)
    return new LoginError('rate_limited', `${url} answered 429: the site takes no further logins for now`);
  const captcha = () =>
    new LoginError(
      'captcha',
      `${url} asks for a captcha: let the test account, or the address of this scanner, pass without one`,
    );
  const { forms } = formsRead(text, url);
  // A page without a login may talk of them, as a link in a menu does.
  if (captchaWords.test(words) && (words.length <= maxNotice || findPasswordForm(forms, findAll, true)))
    return captcha();
  if (status === 423 || lockedWords.test(words))
    return new LoginError('locked', `${url} says that the account is locked or blocked`);
  if (sent.password && findCodeForm(forms, findAll))
    return sent.code
      ? new LoginError(
          'code_refused',
          `${url} refused the one-time code: check its secret, digits, period and algorithm`,
        )
      : new LoginError('code_needed', `${url} asks for a second factor: give the secret of its one-time code as totp`);
  if (status >= 500) return new LoginError('site_down', `${url} answered ${status}`);
  if (sent.password && (status === 401 || wrongWords.test(words)))
    return new LoginError(
      'wrong_credentials',
      sent.code
        ? `${url} refused the user name, the password or the one-time code`
        : `${url} refused the user name or the password`,
    );
  // Some pages contain one that is shown only to suspected bots.
  return captchaMarks.test(text) ? captcha() : undefined;
}
