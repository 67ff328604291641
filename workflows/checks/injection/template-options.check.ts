import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { fingerprintSite, identifiesPlatform } from '../pages/fingerprint-host.ts';
import { unlessBroken } from './computed-result.ts';
import { type EngineOption, engineOptions, withMembers } from './engine-options.ts';
import { lookAtEach } from './look-at-each.ts';

type TakenOption = { input: OpenedInput; option: EngineOption; detail: string; cvss?: string };

const maxInputs = 60;

/** All that a request brings is given to a page's template, options of the engine among it. Source: CWE-1336, CWE-94. */
export const templateOptions = defineCheck<TakenOption>({
  id: 'injection.template-options',
  title: 'Server-side template injection by options of the engine',
  cwe: 1336,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const stacks = await fingerprintSite(context);
    if (identifiesPlatform(stacks) && !stacks.has('node'))
      return notApplicable('The site is made with another language than JavaScript.');
    const inputs = handlersOf(inputsToProbe(context.surface));
    if (inputs.length === 0) return notApplicable('No page takes values by name.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The application gives the whole query or body to the template of a page, as in `response.render("card", request.query)`. The engine takes its own options from the same object, so that whoever sends the request sets them.',
    impact:
      'By options of EJS a request has code of its own compiled into the template, which runs with the rights of the application: files, settings and keys are read and commands run. By the layout of Handlebars any file of the application that is no template is shown.',
    sends:
      'Sends each handler of a site in Node one request with two options of EJS among its values, whose code returns a product of two random numbers, and two whose layout for Handlebars is the package.json of the application. They read and change nothing.',
    proves:
      'The product stands in the answer, or a package.json with its members; with the code in a comment, or another name of the file, it does not. An attacker runs code in the application, or reads its files.',
    remedy:
      'Give a template the values that it shows, by name: `response.render("card", { name: request.query.name })`, never `request.query` or `request.body`. Update EJS to 5 or later, which no longer takes such options.',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'CVE-2022-29078: https://nvd.nist.gov/vuln/detail/CVE-2022-29078',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

/** One input of each handler: what is added stands beside it. */
function handlersOf(inputs: readonly OpenedInput[]): OpenedInput[] {
  const named = inputs.filter(
    ({ in: place, json, contentType = '', encoded, inFile }) =>
      !encoded &&
      !inFile &&
      (place === 'query' ||
        (place === 'body' && (json ? json.literal === undefined : contentType.includes('urlencoded')))),
  );
  return [
    ...new Map(named.toReversed().map((input) => [`${input.method} ${input.route}`, input])).values(),
  ].toReversed();
}

async function look(context: CheckContext, input: OpenedInput): Promise<TakenOption | undefined> {
  for (const option of engineOptions) {
    const values = newTrialValues(context.nonce);
    const action = withMembers(input, option.members);
    const answer = await sendInput(context, input, action, values, { fresh: true }).catch(unlessBroken);
    if (!answer || !firstMatch(fill(option.result, values), answer.text)) continue;
    const { detail, cvss } = option;
    return { input, option, detail, ...(cvss === undefined ? {} : { cvss }) };
  }
  return undefined;
}

function experimentFor({ input, option }: TakenOption): Experiment {
  const step = (members: EngineOption['members'], note: string): Step[] =>
    inputSteps(input, withMembers(input, members), {
      note,
      expect: [claim('body', 'matches', option.result, option.seen)],
    });
  return {
    steps: step(option.members, 'Among the values of the page are options of the engine for its template.'),
    control: step(option.inert, 'The same without what the engine would do with them.'),
  };
}
