import { createServer } from 'node:net';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { connect } from '../../../lib/store/client.ts';

it('a call to a table that says nothing ends', async () => {
  let calls = 0;
  const silent = createServer(() => {
    calls += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = Object(silent.address());
  const client = connect({ endpoint: `http://127.0.0.1:${port}`, local: true });
  Object(client.config.requestHandler).updateHttpClientConfig('socketTimeout', 50);
  await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(calls).toBe(4);
  client.destroy();
  silent.close();
});
