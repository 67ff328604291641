import type { InputSurface, Surface } from '../../model/surface.ts';
import { folded } from '../../probe/gate/words/spelling.ts';

/** What stands on the button of a registration, whatever its address is called. */
const registeringLabel = new RegExp(
  folded(
    '^(?:(?:join|register|sign ?-?up|enrol|enroll|apply)(?: (?:us|now|here|free|for free|today|for membership))?|get started|(?:create|open|make|get)(?: (?:an?|my|your|new|a new|free|a free))? account|become an? (?:member|user|customer)|(?:jetzt )?registrieren|konto (?:erstellen|anlegen)|creer (?:un|mon) compte|s’inscrire|inscription|crear (?:una )?cuenta|registrarse|registrarme|criar conta|cadastrar|cadastre-se|registrati|crea account|account aanmaken|registreren|skapa konto|opret konto|zarejestruj sie|zaloz konto|зарегистрироваться|регистрация|注册|註冊|新規登録|会員登録|회원가입|가입하기|kayit ol|dang ky|daftar)$',
  ),
  'u',
);

/**
 * All body inputs of a surface, also those that are not sent; where the control that sends them says that somebody registers, that is
 * their title.
 */
export function labelledInputs({
  inputs,
  heldInputs = [],
  forms,
  calls,
}: Pick<Surface, 'inputs' | 'heldInputs' | 'forms' | 'calls'>): InputSurface[] {
  const said = [
    ...forms.map(({ method, action, label }) => ({ method, url: action, label })),
    ...calls.map(({ method, url, control }) => ({ method, url, label: control })),
  ];
  const registering = new Set(
    said.flatMap(({ method, url, label }) => (isRegistering(label) ? [`${method} ${url}`] : [])),
  );
  return [...inputs, ...heldInputs].map((input) =>
    registering.has(`${input.method} ${input.url}`)
      ? { ...input, title: `${input.title ?? ''} register`.trim() }
      : input,
  );
}

const isRegistering = (label = ''): boolean =>
  registeringLabel.test(
    folded(label)
      .replace(/[^\p{L}\p{M}’-]+/gu, ' ')
      .trim(),
  );
