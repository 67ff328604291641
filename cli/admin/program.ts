import { type Command, InvalidArgumentError, Option } from 'commander';
import { createPrinters, type World } from '../context.ts';
import { openCore } from './core.ts';
import { approveDomain, type IssueOptions, issueKey, keyKinds, listKeys, revokeKey, withdrawDomain } from './keys.ts';
import {
  createOrg,
  type GrantOptions,
  grantCredits,
  listOrgs,
  listPlans,
  type PlanOptions,
  putPlan,
  setPlan,
  showOrg,
} from './orgs.ts';

const help = `
Environment:
  SCAN_AUDIT_OPERATOR_KEY  key of kind operator (required; there is no option for it, so that it shows in no log)
  SCAN_AUDIT_CORE          address of core, for instance http://127.0.0.1:7300

Examples:
  scan-audit admin org create "Example Ltd" --plan business
  scan-audit admin domain approve <orgId> example.com --subdomains
  scan-audit admin credits grant <orgId> 100 --reason "invoice 4711" --idempotency-key invoice-4711
  scan-audit admin key issue --kind org --org <orgId> --name ci --scope scans:read --scope scans:write`;

/** Commands for who runs the service: orgs, plans, credit, keys and domains, through core's own port. */
export function addAdmin(program: Command, world: World): void {
  const admin = program
    .command('admin')
    .summary('Run the service: orgs, plans, credit, keys, domains')
    .description('Orgs, plans, credit, keys and domains, for who runs the service.')
    .addHelpText('after', help);
  const { out, err } = createPrinters(world);
  const open = ({ core }: { core?: string }) => ({ core: openCore(world.env, core), out, err });
  addOrgs(admin, open);
  addKeys(admin, open);
  addDomains(admin, open);
}

type OpenAdmin = (options: { core?: string }) => Parameters<typeof issueKey>[0];

const command = (parent: Command, name: string, summary: string): Command =>
  parent
    .command(name)
    .summary(summary)
    .description(`${summary}.`)
    .option('--core <url>', 'address of core (default: SCAN_AUDIT_CORE)')
    .option('--json', 'print JSON');

const group = (parent: Command, name: string, description: string): Command =>
  parent.command(name).summary(description).description(`${description}.`);

function addOrgs(admin: Command, open: OpenAdmin): void {
  const org = group(admin, 'org', 'Make and look at orgs');
  command(org, 'create', 'Make an org')
    .argument('<name>')
    .requiredOption('--plan <plan>', 'what it has bought; "plan list" names them')
    .action((name: string, options) => createOrg(open(options), name, options));
  command(org, 'list', 'List orgs, newest first')
    .option('--limit <count>', 'how many', wholeNumber, 20)
    .action((options) => listOrgs(open(options), options));
  command(org, 'show', 'Show an org with its credit and limits')
    .argument('<orgId>')
    .action((orgId: string, options) => showOrg(open(options), orgId, options));
  const plan = group(admin, 'plan', 'Set the plan of an org, and what plans give');
  command(plan, 'set', 'Give an org a plan, from its next request on')
    .argument('<orgId>')
    .argument('<plan>')
    .action((orgId: string, name: string, options) => setPlan(open(options), orgId, name, options));
  command(plan, 'list', 'List the plans').action((options) => listPlans(open(options), options));
  command(plan, 'put', 'Make a plan, or change it for all orgs that have it')
    .argument('<plan>')
    .option('--api-access', 'REST and gRPC with keys of the org')
    .option('--deep', 'deep scans')
    .option('--requests-per-minute <count>', 'of each key', wholeNumber, 120)
    .option('--org-requests-per-minute <count>', 'of the org (default: five times those of a key)', wholeNumber)
    .option('--starts-per-minute <count>', 'of the org', wholeNumber, 20)
    .option('--max-keys <count>', 'live keys of the org (default: 50)', wholeNumber)
    .option('--waiting-gates <count>', 'gates that the org waits for at once (default: 20)', wholeNumber)
    .option('--retention-days <count>', 'that finished scans are kept', wholeNumber, 365)
    .action((name: string, options: PlanOptions & { core?: string }) => putPlan(open(options), name, options));
  const credits = group(admin, 'credits', 'Grant credit');
  command(credits, 'grant', 'Grant credit to an org')
    .argument('<orgId>')
    .argument('<amount>', 'credits', wholeNumber)
    .requiredOption('--reason <text>', 'shown in the ledger of the org')
    .option('--idempotency-key <text>', 'the same one grants once (default: a new one)')
    .option('--expires <time>', 'what is left then is expired, for instance 2027-12-31', time)
    .action((orgId: string, amount: number, options: GrantOptions & { core?: string }) =>
      grantCredits(open(options), orgId, amount, options),
    );
}

function addKeys(admin: Command, open: OpenAdmin): void {
  const key = group(admin, 'key', 'Issue, list and revoke keys');
  command(key, 'issue', 'Issue a key; the key alone goes to standard output')
    .addOption(new Option('--kind <kind>', 'of key').choices(Object.keys(keyKinds)).makeOptionMandatory())
    .requiredOption('--name <name>', 'what it is for')
    .option('--org <orgId>', 'whose it is, for a key of kind org')
    .option('--scope <scope>', 'what it may do; give it once for each', (scope: string, all: string[] = []) => [
      ...all,
      scope,
    ])
    .option('--expires <time>', 'its end, for instance 2027-12-31', time)
    .action((options: IssueOptions & { core?: string }) => issueKey(open(options), options));
  command(key, 'list', 'List the keys of an org, or those that belong to none')
    .option('--org <orgId>', 'whose')
    .action((options) => listKeys(open(options), options));
  command(key, 'revoke', 'Revoke a key, at once')
    .argument('<keyId>', 'the 8 characters after "sa_"')
    .action((keyId: string, options) => revokeKey(open(options), keyId, options));
}

function addDomains(admin: Command, open: OpenAdmin): void {
  const domain = group(admin, 'domain', 'Approve domains and addresses');
  command(domain, 'approve', 'Record that staff have seen a proof of ownership')
    .argument('<orgId>')
    .argument('<domain>', 'domain or IP address')
    .option('--subdomains', 'all names below it too')
    .action((orgId: string, name: string, options) => approveDomain(open(options), orgId, name, options));
  command(domain, 'withdraw', 'End the right to scan a domain')
    .argument('<orgId>')
    .argument('<domain>')
    .action((orgId: string, name: string, options) => withdrawDomain(open(options), orgId, name, options));
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1 on.');
  return Number(text);
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('Use a day or an RFC 3339 time.');
  return date;
}
