import { randomUUID } from 'node:crypto';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { command } from '../../support/service/command.ts';
import { describeOnEngine } from '../../support/service/table.ts';
import { engine } from '../../support/service/table-at.ts';

const exists = (name: string): Promise<boolean> =>
  engine()
    .send(new DescribeTableCommand({ TableName: name }))
    .then(
      () => true,
      () => false,
    );

describeOnEngine('a table at an endpoint', () => {
  const place = (name: string) => ['--table', name, '--endpoint', process.env.TEST_ENDPOINT ?? ''];

  it.each([
    ['site', 'list'],
    ['user', 'list', '--site', 'acme'],
    ['doctor'],
    ['site', 'set', 'acme', '--title', 'x'],
    ['restore', '--to', 'other'],
  ])('is not made by %s %s', async (...args) => {
    const name = `absent-${randomUUID()}`;
    const { status, err, out } = await command([...args, ...place(name)]);
    expect([status, `${err}${out}`]).toEqual([1, expect.stringMatching(/no (such )?table/)]);
    expect(await exists(name)).toBe(false);
  });

  it('is made by site add, where a local engine takes anybody', async () => {
    const name = `made-${randomUUID()}`;
    expect(await command(['site', 'add', 'acme', ...place(name)])).toMatchObject({ status: 0 });
    expect(await exists(name)).toBe(true);
  });
});

describe('restore', () => {
  it.each([
    [['restore', '--to', 'other'], 'Name the table to restore: --table.'],
    [['restore', '--table', 'a'], "required option '--to <name>' not specified"],
    [['restore', '--table', 'a', '--to', 'b', '--at', 'yesterday'], 'It must be an instant such as'],
  ])('refuses %j', async (args, sentence) => {
    const { status, err } = await command(args);
    expect([status, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
