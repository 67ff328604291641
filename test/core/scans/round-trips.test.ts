import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newOrg, openDatabase } from './support.ts';

const { em, close } = await openDatabase(1);
const trips = suite('round trips to PostgreSQL');

trips('a start asks for the right, and then does all the rest at once', async () => {
  const org = await newOrg(em);
  const sent: string[] = [];
  const pool = await em.getConnection().getNativeClient();
  const client = await pool.connect();
  const real = client.query;
  client.query = (...args: unknown[]) => {
    const [query] = args as [string | { text: string }];
    sent.push(typeof query === 'string' ? query : query.text);
    return Reflect.apply(real, client, args);
  };
  client.release();
  try {
    await org.start();
  } finally {
    client.query = real;
  }
  assert.is(sent.length, 2, sent.join('\n'));
  assert.match(sent[1] ?? '', /pg_advisory_xact_lock.*credit_accounts.*insert into outbox/s);
});

trips.after(close);
trips.run();
