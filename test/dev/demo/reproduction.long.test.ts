import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { weakKey } from '../../../dev/demo/checkout.ts';
import { identities } from '../../../dev/demo/identities.ts';
import { readersVariables } from '../../../dev/demo/reader.ts';
import { Visitor } from './client.ts';
import { hasDig, missingIn, missingInNames, paste } from './printed.ts';
import { auditDemo, meansOf, type Reproduction } from './reproduction.ts';

const test = suite<Reproduction>('what an audit of the demo prints for a shell');
test.before(async (context) => void Object.assign(context, await auditDemo()));
test.after(async ({ close }) => close?.());

test('each command shows what its finding claims, and leaves the accounts as they were', async ({ demo, proven }) => {
  assert.ok(proven.length > 30, `only ${proven.length} were proven`);
  for (const each of proven.filter((one) => meansOf(one) === 'request')) {
    const printed = await paste(each.proof.curl);
    assert.is(missingIn(printed, each), undefined, `${each.id}\n${each.proof.curl}`);
    assert.is(printed.stderr, '', each.id);
  }
  const visitor = new Visitor(demo);
  try {
    await visitor.logIn('a');
    const { street, city, role } = JSON.parse((await visitor.get('/api/me')).text);
    const { a } = identities;
    assert.equal([street, city, role], [a.street, a.city, a.role]);
  } finally {
    await visitor.close();
  }
});

/** Whose lines ask the demo's own name server with dig, which not every machine has. */
const byNames = [
  'dns.caa-missing',
  'dns.dangling-mx',
  'dns.zone-transfer',
  'mail.dkim-weak',
  'mail.dmarc-none',
  'mail.mta-sts-broken',
  'mail.spf-permissive',
  'mail.tls-rpt-broken',
];

test('each line for dig asks for what its finding claims', async ({ proven }) => {
  const named = proven.filter((one) => meansOf(one) === 'name');
  assert.equal([...new Set(named.map(({ id }) => id))].sort(), byNames);
  for (const { id, proof } of named) assert.match(proof.curl, /^dig @127\.0\.0\.1 -p \d+ /m, id);
  if (!(await hasDig())) return;
  for (const each of named) assert.is(await missingInNames(each), undefined, `${each.id}\n${each.proof.curl}`);
});

test('none holds a secret, and all that a reader has to know is a name and a password, or the key', ({
  audit,
  proven,
}) => {
  const secrets = [
    weakKey,
    ...Object.values(identities).flatMap(({ email, password, street }) => [email, password, street]),
    ...Object.values(audit.context.identities).flatMap(({ jar }) => jar.all().map(({ value }) => value)),
  ];
  for (const { id, proof, experiment, values } of proven) {
    const captured = experiment.steps.flatMap(({ capture = [] }) =>
      capture.flatMap(({ name, secret }) => (secret ? (values.get(name) ?? []) : [])),
    );
    for (const secret of [...secrets, ...captured]) assert.not.ok(proof.curl.includes(secret), `${id}\n${proof.curl}`);
    assert.not.match(proof.curl, /masked|‹/, id);
    for (const [, name = ''] of proof.curl.matchAll(/\$\{(\w+):\?\}/g))
      assert.ok(name in readersVariables || proof.curl.includes(`\n${name}=`), `${id} wants ${name}`);
  }
});

test.run();
