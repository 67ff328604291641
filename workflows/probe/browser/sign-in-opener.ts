import type { Page } from 'playwright-core';

/** What stands on the control that shows the login: "Log in / join". */
const opening =
  /^[^\p{L}]*(?:(?:member|user|customer|client|my|your|please|kunden)\s+)?(?:log[- ]?[io]n|sign[- ]?[io]n|account|members?(?: area)?|anmelden|einloggen|connexion|se connecter|iniciar sesi[oó]n|acceder|entrar|accedi|inloggen|logga in|log ind|logg inn|zaloguj(?: si[eę])?|войти|вход|登录|ログイン|로그인)(?![\p{L}]).{0,24}$/iu;
/** "Sign in with …" leads to the login of somebody else. */
const elsewhere = /\b(?:with|via|using|mit|über|avec|con|com|met|med)\b/iu;
const controls =
  'a, button, summary, [role="button"], [role="tab"], [role="menuitem"], input[type="button"], span, div, li';
const maxControls = 400;
const actionTimeoutMs = 2_000;

/** Presses what shows the login of a page that has no field for it yet. @returns whether something was pressed */
export async function openLogin(page: Page): Promise<boolean> {
  const labels = await page
    .locator(controls)
    .evaluateAll(
      (elements, max) =>
        elements.slice(0, max).map((element) => {
          const { value = '', ariaLabel } = element as HTMLInputElement;
          // What holds other controls is none.
          const isOuter = element.querySelector('a, button, span, div, li, input') !== null;
          const text = isOuter || !element.checkVisibility() ? '' : element.textContent || value || ariaLabel || '';
          return text.trim().slice(0, 60);
        }),
      maxControls,
    )
    .catch(() => []);
  const index = labels.findIndex((label) => opening.test(label) && !elsewhere.test(label));
  if (index === -1) return false;
  const control = page.locator(controls).nth(index);
  return control.click({ timeout: actionTimeoutMs, noWaitAfter: true }).then(
    () => true,
    () => false,
  );
}
