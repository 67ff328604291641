import type { Experiment } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { keptObjects } from '../inputs/cookie-inputs.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { isOfJava, serializedForm } from '../inputs/serialized-text.ts';
import { unknownWord, wordsOf } from './answer-words.ts';
import { computedBy, computedExperiment } from './computed-result.ts';
import { unlessDataOnly } from './data-only.ts';
import { type Delayed, delayExperiment, delayedBy } from './delays.ts';
import { isCodeOf, languageOf } from './evaluated-code.ts';
import { fieldsForExports } from './exported-objects.ts';
import { classExperiment, type KnownClass, knownClass } from './java-classes.ts';
import { isJavaDocument } from './java-documents.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { readObjects } from './read-objects.ts';
import type { SerializedCall } from './serialized-call.ts';
import { callsFor } from './serialized-calls.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue } from './unparsable.ts';
import { documentBodies } from './xml-inputs.ts';

type Revived = { input: OpenedInput; detail: string; cvss?: string } & (
  | { call: SerializedCall }
  | { delayed: Delayed }
  | { known: KnownClass }
);

const maxInputs = 300;
/** Inputs whose names and values say nothing of a format: one request each, and the others where it fails. */
const maxOthers = 300;
/** What can be done with objects of any class depends on the classes that the application has, hence the high complexity. */
const objectVector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H';
/** What applications call values that they make objects of. */
const objectNames =
  /obj|data|state|sess|serial|pickle|marshal|ya?ml|payload|profile|config|prefs?|import|cart|basket|token|remember|product|item|document|model|content|body|text/i;

/** A value is made an object of by a format whose texts can call functions. Source: CWE-502, WSTG-INPV-11. */
export const deserialization = defineCheck<Revived>({
  id: 'injection.deserialization',
  title: 'Insecure deserialization (functions of the value are called)',
  cwe: 502,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 8,

  async detect(context) {
    const bodies = (await documentBodies(context)).filter(({ sample }) => isJavaDocument(sample));
    const whole = bodies.map((body): InputSurface => ({ ...body, text: { body: body.sample } }));
    const all = [...whole, ...inputsToProbe(context.surface)];
    const given = [...(await fieldsForExports(context, all)), ...all.filter(mayBeSerialized)];
    const isGiven = ({ parameter }: InputSurface) =>
      given.some((input) => input.in === 'cookie' && input.parameter === parameter);
    const inputs = await readObjects(context, [...given, ...keptObjects(context).filter((input) => !isGiven(input))]);
    const others = all.filter((input) => !mayBeSerialized(input));
    if (inputs.length + others.length === 0) return notApplicable('No page takes a value that may be changed.');
    const language = await languageOf(context);
    if (language !== undefined)
      context.leave({
        code: 'guessed',
        count: inputs.length + others.length,
        text: `objects of other languages than ${language}, which the site is written in, were not tried in values of no format`,
      });
    const likely = await lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
      fewOfKind,
    );
    const reading = await lookAtEach(
      context,
      others,
      maxOthers,
      async (input) => ((await failsToRead(context, input)) ? look(context, input) : undefined),
      fewOfKind,
    );
    return {
      candidates: [...likely.candidates, ...reading.candidates],
      omitted: [...likely.omitted, ...reading.omitted],
    };
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The server makes an object of the value by a format whose texts name functions to call: a pickle, a jsonpickle or a YAML document of Python, JSON with functions of Node, or an object of PHP or Java of any class. A function that a value of ours named was called, or a method of an object of ours, and its result stands in the page, or the answer waited for it.',
    impact:
      'Whoever can send the value calls any function with the rights of the application: runs programs, reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'Sends inputs that look serialized, fail at an open bracket, or are empty where pages show objects, texts of pickle, jsonpickle, YAML and node-serialize that multiply two numbers or wait up to four seconds, PHP exceptions, and a Java object and sets that take seconds to read. They change nothing.',
    proves:
      'The product stands in the page, or the text of an exception of ours, or the answers follow delays in random order, or a class of Java is taken in the server’s own version alone; with the name misspelt nothing does. A function that the value named was called.',
    remedy:
      'Take data in a format that has data only, and check its shape: `json.loads` with a schema (Python), `JSON.parse` (Node), `yaml.safe_load` instead of `yaml.load` with an unsafe loader. What has to come back from a visitor as it was is signed before it is given out, and the signature checked before it is read: `itsdangerous`, JWT. Never `pickle.loads`, `unserialize` without `["allowed_classes" => false]` or `ObjectInputStream` on what comes from outside.',
    references: [
      'CWE-502: https://cwe.mitre.org/data/definitions/502.html',
      'OWASP Deserialization Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    ],
  },
});

const mayBeSerialized = ({ parameter, sample }: InputSurface): boolean =>
  objectNames.test(parameter) || serializedForm(sample) !== undefined || isJavaDocument(sample);

const untried = 'What the classes of the application do with such a value was not tried.';

/** Brackets that never close: any reader of documents fails, and what takes a value as it is does not. One word of each trial follows. */
const unclosed = '{[‹nonce›';

/**
 * Whether something reads the value as a document: a value that is none fails where a plain one does not, or any value fails that is
 * not of a form which no other request contains.
 */
async function failsToRead(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const ask = askerOf(context, input);
  const base = await ask(givenValue(input));
  if (base.status >= 500) return true;
  const broken = await ask(unclosed);
  if (broken.status < Math.max(400, base.status + 1)) return false;
  // Where a plain word is refused in the same words, it is so because nothing is called so.
  const said = wordsOf(broken, [unclosed]);
  return said === undefined || said !== wordsOf(await ask(unknownWord), [unknownWord]);
}

/** A value that is written in a format may be another program's; of any other one the language of the site makes the objects. */
async function fittingCalls(context: CheckContext, input: OpenedInput): Promise<ReturnType<typeof callsFor>> {
  const { calls, delays } = callsFor(input);
  const language = serializedForm(input.sample) === undefined ? await languageOf(context) : undefined;
  const fits = ({ where }: { where: string }): boolean =>
    isCodeOf(language)({ where }) || (language === 'JavaScript' && /\bNode\b/.test(where));
  return { calls: calls.filter(fits), delays: delays.filter(fits) };
}

async function look(context: CheckContext, input: OpenedInput): Promise<Revived | undefined> {
  const { calls, delays } = await fittingCalls(context, input);
  const call = await computedBy(context, input, calls);
  const detail = (where: string) => `The value is read as ${where}.`;
  if (call?.isObject) {
    return { input, call, detail: `${detail(call.where)} ${untried}`, cvss: objectVector };
  }
  if (call) return { input, call, detail: detail(call.where) };
  const known = isOfJava(input.sample) ? await knownClass(context, input) : undefined;
  if (known)
    return { input, known, detail: `${detail('a native object of Java, in base64')} ${untried}`, cvss: objectVector };
  const delayed = await delayedBy(context, input, delays);
  if (!delayed) return undefined;
  const { where, paced } = delayed.delaying;
  // What takes a time to be read calls no function of ours.
  if (paced) return { input, delayed, detail: `${detail(where)} ${untried}`, cvss: objectVector };
  return { input, delayed, detail: detail(where) };
}

const experimentFor = (revived: Revived): Experiment =>
  'delayed' in revived
    ? delayExperiment(revived.input, revived.delayed)
    : 'known' in revived
      ? classExperiment(revived.input, revived.known)
      : computedExperiment(revived.input, revived.call, revived.call.broken, {
          computed: 'The text names a function and its arguments, or the class and members of an object.',
          result: 'What only that function, or a method of that object, makes of the values in the request.',
          control: 'With the name misspelt there is no such result.',
        });
