import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Exchange, HttpProbe, HttpRequest } from '../../../workflows/model/http.ts';
import { graphQlAddress } from '../../../workflows/probe/graphql-address.ts';
import { withPostedQueries } from '../../../workflows/probe/posted-queries.ts';

const test = suite('queries of GraphQL in addresses');

const place = 'https://courier.example/api/graphql';
const query = graphQlAddress(place, JSON.stringify({ query: '{ parcels { id } }' })) ?? '';

/** @param statuses of a GET and of a POST */
function asking(statuses: Record<string, number>) {
  const sent: string[] = [];
  const send = async ({ method = 'GET', body }: HttpRequest) => {
    sent.push(body === undefined ? method : `${method} ${String(body)}`);
    return { status: statuses[method] } as Exchange;
  };
  return { sent, http: withPostedQueries({ send } as unknown as HttpProbe, new Set()) };
}

const posted = 'POST {"query":"{ parcels { id } }"}';

test('are posted where the server answers none in addresses, which is tried once', async () => {
  const { sent, http } = asking({ GET: 404, POST: 200 });
  assert.equal([(await http.get(query)).status, (await http.get(query)).status], [200, 200]);
  assert.equal(sent, ['GET', posted, posted]);
});

test('are not posted where the server answers them, or asks for a login', async () => {
  for (const status of [200, 401, 403]) {
    const { sent, http } = asking({ GET: status, POST: 200 });
    assert.equal([(await http.get(query)).status, sent], [status, ['GET']]);
  }
});

test('what is no query of GraphQL, or is taken in neither way, is answered as any address', async () => {
  const { sent, http } = asking({ GET: 404, POST: 405 });
  assert.is((await http.get(`${place}?query={{7*7}}`)).status, 404);
  assert.equal(sent, ['GET']);
  assert.is((await http.get(query)).status, 404);
});

test.run();
