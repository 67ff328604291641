import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Step } from '../../model/experiment.ts';
import { holds } from '../../proof/assertions.ts';
import { subjectValue } from '../../proof/subjects.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { inParallel } from '../inputs/parallel.ts';
import { fingerprintHost } from '../pages/fingerprint-host.ts';
import { siteFolders, siteRoots } from '../pages/folders.ts';

/** A way to the names of users, and the same for what is not there. */
type UserListing = { url: string; control: string; shows: string; claims: Assertion[] };

const maxFolders = 3;

/** A list of users as the REST API writes it. Source: WordPress REST API handbook, Users. */
const listed = [
  claim('status', 'equals', '200'),
  claim('body:masked', 'matches', '^\\s*\\[\\s*\\{\\s*"id"\\s*:\\s*\\d+', 'It is a list of objects with ids.'),
  claim('body:json:/0/slug', 'present', '', 'It shows the name that a user has in addresses.'),
  claim('body:json:/0/_links/self/0/href', 'matches', 'wp/v2/users', 'It links to itself as a user of WordPress.'),
];
/** The archive of an author is named after the login. Source: WordPress, redirect_canonical(). */
const redirected = [
  claim('status', 'one-of', '301|302'),
  claim('header:location', 'matches', '/author/[^/?#]{1,60}/?$', 'It leads to the archive of an author, by name.'),
];

/** Visitors can list the names that users log in with. Source: WSTG-IDNT-04, CWE-204. */
export const wordpressUsers = defineCheck<UserListing>({
  id: 'exposure.wordpress-users',
  title: 'WordPress user enumeration',
  cwe: 204,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const isWordpress = fingerprintHost(context.surface).has('wordpress');
    const bases = isWordpress ? siteFolders(context, maxFolders) : siteRoots(context.surface);
    const looked = await inParallel(bases.flatMap(waysFrom), 4, (way) => look(context, way));
    return looked.flat();
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({ http: { url }, note, expect: data.claims });
    return {
      steps: [step(data.url, `An anonymous visitor is shown ${data.shows}.`)],
      control: [step(data.control, 'What is not there is not answered in this form.')],
    };
  },

  explain: {
    description:
      'WordPress lists its users to anonymous visitors: by its REST API, or by leading from the number of an author to the archive that is named after the login.',
    impact:
      'Passwords are guessed on the login page all day; with the names, half of what has to be guessed is known. The names also help to write believable mails.',
    sends:
      'GET requests for the users of the REST API (two spellings) and for `?author=1`, in up to 3 folders, and the same for what does not exist.',
    proves:
      'An anonymous visitor is shown a list of users, or led to the archive of an author by name; what is not there is not answered so. An attacker has names to guess passwords for. No login was tried.',
    remedy:
      'Let the REST API list users only to who is logged in: `add_filter("rest_endpoints", function ($e) { if (!is_user_logged_in()) { unset($e["/wp/v2/users"], $e["/wp/v2/users/(?P<id>[\\\\d]+)"]); } return $e; });`, and stop the redirect of authors: nginx `if ($arg_author ~ "^\\d+$") { return 404; }`. Security plugins have a switch for both. Ask for a second factor, and limit attempts to log in.',
    references: [
      'CWE-204: https://cwe.mitre.org/data/definitions/204.html',
      'WordPress REST API handbook, Users: https://developer.wordpress.org/rest-api/reference/users/',
      'WSTG-IDNT-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    ],
  },
});

const waysFrom = (base: string): UserListing[] => [
  {
    url: `${base}wp-json/wp/v2/users`,
    control: `${base}wp-json/wp/v2/‹nonce›`,
    shows: 'a list of users',
    claims: listed,
  },
  {
    url: `${base}?rest_route=/wp/v2/users`,
    control: `${base}?rest_route=/wp/v2/‹nonce›`,
    shows: 'a list of users',
    claims: listed,
  },
  { url: `${base}?author=1`, control: `${base}?author=9‹int›‹int2›`, shows: 'the name of a user', claims: redirected },
];

async function look({ http, now }: CheckContext, way: UserListing): Promise<Candidate<UserListing>[]> {
  const exchange = await http.get(way.url);
  const fits = way.claims.every((each) => holds(each, subjectValue({ kind: 'http', exchange }, each.subject), now()));
  return fits ? [{ location: { url: way.url }, route: '/{wordpress-users}', data: way }] : [];
}
