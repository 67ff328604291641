import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { fingerprintSite, identifiesPlatform } from '../pages/fingerprint-host.ts';
import { siteRoots } from '../pages/folders.ts';
import { lookAtGuesses } from './guesses.ts';

/** Names that people give to such a page, the likeliest first, and the one of Symfony's profiler. */
const names = [
  'phpinfo.php',
  'info.php',
  'test.php',
  'php.php',
  'i.php',
  'pi.php',
  'phpinfo',
  'php_info.php',
  '_profiler/phpinfo',
];

/** Parts of the page that PHP itself makes. Source: php-src, ext/standard/info.c. */
const marks = [
  ['(?i)<title>(?:PHP [\\d.]+\\S* - )?phpinfo\\(\\)</title>', 'It has the title that PHP gives to it.'],
  ['(?i)<h1 class="p">PHP Version \\d+\\.\\d+\\.\\d+', 'It names the version of PHP.'],
  ['(?i)<tr><td class="e">System ?</td><td class="v">', 'It has the table on the system.'],
] as const;

/** A page with the whole configuration of PHP is public. Source: WSTG-CONF-04, CWE-497. */
export const phpinfo = defineCheck({
  id: 'exposure.phpinfo',
  title: 'Exposed phpinfo() page',
  cwe: 497,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { surface } = context;
    const titled = surface.pages.filter(({ title }) => /phpinfo\(\)/.test(title)).map(({ url }) => url);
    const stacks = await fingerprintSite(context);
    const guessed = (count: number) =>
      siteRoots(surface).flatMap((root) => names.slice(0, count).map((name) => root + name));
    const likely = stacks.has('php') ? names.length : identifiesPlatform(stacks) ? 1 : 2;
    const first = new Set([...titled, ...guessed(likely)]);
    const further = guessed(names.length).filter((url) => !first.has(url));
    return lookAtGuesses(context, { first: [...first], further }, look);
  },

  confirm: (_context, { location }) => {
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [
        claim('status', 'equals', '200'),
        ...marks.map(([mark, why]) => claim('body:masked', 'matches', mark, why)),
      ],
    });
    return {
      steps: [step(location.url, 'The page is the output of phpinfo().')],
      control: [
        step(location.url.replace(/\/([^/?]*)(\?.*)?$/s, '/‹nonce›$1'), 'A page of a random name beside it is not.'),
      ],
    };
  },

  explain: {
    description:
      'A page calls phpinfo() and is open to everybody. It shows the version and every setting of PHP, paths, loaded modules, the variables of the environment and of the request.',
    impact:
      'Versions and modules show which known weaknesses apply; paths help to use others. Variables of the environment are often passwords, and since the page repeats cookies, script that runs on the site can read cookies in it that are marked HttpOnly.',
    sends:
      'GET requests for one or two usual names, for nine where PHP is seen or one of them answers, for seen pages with its title, and for a random name beside one that answers.',
    proves:
      'The page has the title, version heading and system table that phpinfo() writes; a random page beside it has not. An attacker reads versions, paths and environment variables.',
    remedy:
      'Delete the page. Who needs it runs `php -i` on the server, or `php -r "phpinfo();"`. Where pages of other people run, switch it off in php.ini: `disable_functions = phpinfo`. In Symfony, enable the profiler in the environment "dev" only.',
    references: [
      'CWE-497: https://cwe.mitre.org/data/definitions/497.html',
      'PHP manual, phpinfo: https://www.php.net/manual/en/function.phpinfo.php',
      'WSTG-CONF-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    ],
  },
});

async function look({ http }: CheckContext, url: string): Promise<Candidate[]> {
  const { status, text } = await http.get(url);
  if (status !== 200 || marks.some(([mark]) => firstMatch(mark, text) === undefined)) return [];
  const version = /PHP Version (\d+\.\d+\.\d+)/.exec(text)?.[1];
  return [{ location: { url }, route: '/{phpinfo}', detail: `It shows PHP ${version}.` }];
}
