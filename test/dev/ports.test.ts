import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { claimPort, PortTaken } from '../../dev/ports.ts';
import { rejectionOf } from '../support/rejection.ts';

const Ports = suite('a port');

Ports('is any free one for 0, and the wanted one while nobody has it', async () => {
  const port = await claimPort(0, 'GATEWAY_PORT');
  assert.ok(port > 0);
  assert.is(await claimPort(port, 'GATEWAY_PORT'), port);
});

Ports('that is taken is refused with the setting that chooses another', async () => {
  const port = await claimPort(0, 'GATEWAY_PORT');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const error = await rejectionOf(claimPort(port, 'GATEWAY_PORT'));
  server.close();
  assert.instance(error, PortTaken);
  assert.match(error.message, `Port ${port} is already taken`);
  assert.match(error.message, 'GATEWAY_PORT=0');
});

Ports.run();
