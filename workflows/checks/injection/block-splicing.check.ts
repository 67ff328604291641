import { type CaptureRule, claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { cookiesOf, inputSteps } from '../inputs/open-input.ts';
import { sealedText } from '../sessions/sealed-values.ts';
import { hasOtherPurpose } from '../sessions/session-cookie.ts';
import { parseSetCookie } from '../sessions/set-cookie.ts';
import { openedInput, plant, type Sends, sendsLeft, sendsOfProof, storingAction } from './plant.ts';
import { type RepeatedBlocks, repeatedBlocks, runFor } from './repeated-blocks.ts';
import { read } from './stored-reads.ts';
import { noStoringForm, storedWords } from './stored-words.ts';
import type { StoringForm } from './storing-form.ts';

type Spliced = {
  form: StoringForm;
  parameter: string;
  sends: Sends;
  cookie: string;
  blocks: RepeatedBlocks;
  /** Other cookies of the answer. */
  others: ReturnType<typeof cookiesOf>;
  run: string;
  url: string;
};
type SealedAnswer = { form: StoringForm; cookie: string; value: string };

const maxForms = 3;
const maxFields = 2;

/** A cookie that was put together of another one's encrypted blocks is taken for the site's own. Source: CWE-327, WSTG-CRYP-04. */
export const blockSplicing = defineCheck<Spliced>({
  id: 'injection.block-splicing',
  title: 'Forged cookie from encrypted blocks (ECB)',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 10,

  async detect(context) {
    const { forms, answers, sends } = await storedWords(context);
    if (forms.length === 0) return notApplicable(noStoringForm);
    const sealed = answers.flatMap(({ form, answer }) => (isPlain(form) ? sealedOf(form, answer) : []));
    if (sealed.length === 0) return notApplicable('No form gives a cookie that may be encrypted.');
    const found = [];
    for (const each of likeliest(context, sealed, maxForms, 'forms that give an encrypted cookie')) {
      const data = await splicedBy(context, each, sends);
      const input = data?.form.inputs.find(({ parameter }) => parameter === data.parameter);
      if (!data || !input) continue;
      const { url, method, route, parameter } = input;
      const detail = `The cookie "${data.cookie}" was read with ${data.blocks.bytes} bytes more than the site has encrypted.`;
      found.push({ location: { url, method, parameter, parameterIn: 'body' as const }, route, detail, data });
    }
    return found;
  },

  async confirm(context, { data }) {
    if (!data || sendsLeft(data.sends, data.form) < sendsOfProof) return undefined;
    const input = await openedInput(context, data.form, data.parameter);
    return input && experimentFor(data, input);
  },

  explain: {
    description:
      'A form’s value is kept encrypted in a cookie in blocks of which each stands for itself (ECB): equal blocks of a value give equal blocks of the cookie. Nothing verifies the whole, so that blocks can be repeated, left out and moved.',
    impact:
      'Whoever chooses the value has the site encrypt any text, cuts it out at the borders of blocks and puts it where a name, a role or an amount stands, without the key.',
    sends:
      'With `writes: "create"`, sends each form that gives a cookie which may be encrypted a run of one letter, and reads the page behind it with one part of the cookie repeated; 4 more for the proof.',
    proves:
      'The page shows the run longer than it was sent, by as much as was repeated of the cookie, twice; with the cookie as the site gave it, it does not. The site takes a cookie that it never made.',
    remedy:
      'Encrypt with authentication: AES-GCM or ChaCha20-Poly1305, with a new nonce each time, or a ready format (Fernet, `JWE`, libsodium `secretbox`). Better, keep the value on the server and give an identifier made by chance.',
    references: [
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
      'WSTG-CRYP-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/04-Testing_for_Weak_Cryptographic_Primitives',
    ],
  },
});

const isPlain = ({ identity, plan, steps, inputs: [input] }: StoringForm): boolean =>
  identity === '' && !plan && !steps && input?.method === 'POST';

function sealedOf(form: StoringForm, answer: Exchange): SealedAnswer[] {
  return answer.headerValues('set-cookie').flatMap((line) => {
    const cookie = parseSetCookie(line);
    if (!cookie || hasOtherPurpose(cookie.name) || !sealedText(cookie.value)) return [];
    return [{ form, cookie: cookie.name, value: cookie.value }];
  });
}

async function splicedBy(
  context: CheckContext,
  { form, cookie, value }: SealedAnswer,
  sends: Sends,
): Promise<Spliced | undefined> {
  const run = runFor(value);
  const fields = form.inputs.filter(({ parameter }) => !Object.hasOwn(form.addresses, parameter));
  for (const { parameter } of likeliest(context, fields, maxFields, 'fields of forms that give an encrypted cookie')) {
    if (sendsLeft(sends, form) <= sendsOfProof) return undefined;
    // A name that an account has is taken.
    const sent = new Map([[parameter, run + context.nonce()]]);
    const found = await plant(context, { form, sends }, sent, async (answer) => {
      const given = sealedOf(form, answer).find((each) => each.cookie === cookie)?.value ?? '';
      const blocks = repeatedBlocks(given);
      if (!blocks) return undefined;
      const url = targetOf(answer) ?? form.pageUrl;
      const others = cookiesOf(answer).filter(({ pair }) => !pair.startsWith(`${cookie}=`));
      const kept = answer.headerValues('set-cookie').map((line) => line.replace(/;.*$/s, '').trim());
      const besides = kept.filter((pair) => !pair.startsWith(`${cookie}=`));
      const spliced = given.slice(0, blocks.offset + blocks.size) + given.slice(blocks.offset);
      const page = await read(context, '', url, [['Cookie', [...besides, `${cookie}=${spliced}`].join('; ')]]);
      return page?.text.includes(run + 'q'.repeat(blocks.bytes))
        ? { form, parameter, sends, cookie, blocks, others, run, url }
        : undefined;
    });
    if (found) return found;
  }
  return undefined;
}

function experimentFor({ form, cookie, blocks, others, run, url }: Spliced, input: OpenedInput): Experiment {
  const { offset, size, bytes } = blocks;
  const part = (name: string, pattern: string): CaptureRule => {
    return { name, subject: `cookie:${cookie}`, pattern: `^[^=]*=${pattern}`, secret: true };
  };
  const captures = [
    part('before', `([^;]{${offset}})`),
    part('block', `[^;]{${offset}}([^;]{${size}})`),
    part('rest', `[^;]{${offset}}([^;]+)`),
  ];
  const steps = (word: string, spliced: string, note: string): Step[] => [
    ...inputSteps(input, storingAction(form, input, run + word), {
      note: 'A run of one letter is sent, which fills whole blocks, with a word behind it.',
      expect: [claim('status', 'less-than', '400')],
      hasEffect: true,
      capture: [...captures, ...others.map(({ rule }) => rule)],
    }),
    {
      http: { url, headers: [['Cookie', [...others.map(({ pair }) => pair), `${cookie}=${spliced}`].join('; ')]] },
      note,
      expect: [claim('body', 'contains', run + 'q'.repeat(bytes), 'The run is longer than it was sent.')],
    },
  ];
  return {
    steps: steps('‹nonce›', '‹before›‹block›‹rest›', 'The page reads the cookie with a part of it repeated.'),
    control: steps('‹nonce2›', '‹before›‹rest›', 'The page reads the cookie as it was given.'),
  };
}
