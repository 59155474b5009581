import { readDeployment, type StageHealth, troublesOf } from '../../../infra/cli/deployment.ts';
import { connect } from '../../../lib/store/client.ts';
import { setEnvironment } from '../../support/service/environment.ts';
import { startStage } from '../../support/service/stage-server.ts';

const server = await startStage();
afterAll(() => server.close());
setEnvironment({
  ...{ AWS_ACCESS_KEY_ID: 'ops', AWS_SECRET_ACCESS_KEY: 'ops', AWS_REGION: 'eu-west-1' },
  AWS_ENDPOINT_URL: server.url,
});

const now = Date.parse('2026-11-28T06:00:00Z');
const WELL: StageHealth = {
  unseen: [],
  ...{ hasBackups: true, hasTimeToLive: true, isProtected: true, stage: 'prod', pending: [], subscribers: 1 },
  dead: [{ output: 'DeadLetterUrl', count: 0 }],
  exports: [{ site: 'acme', at: now - 3_600_000 }],
};

describe('what doctor says of a deployment', () => {
  it('is nothing where all is well', () => {
    expect(troublesOf(WELL, 'support', now)).toEqual([]);
  });

  it.each([
    [{ hasBackups: false }, 'backups: point-in-time recovery is off', 'update-continuous-backups --table-name support'],
    [{ hasTimeToLive: false }, 'TTL: nothing is deleted', 'update-time-to-live --table-name support'],
    [{ isProtected: false }, 'protection: the table can be deleted', '--deletion-protection-enabled'],
    [{ pending: ['ops@acme.example'], subscribers: 0 }, 'alarms: ops@acme.example has not confirmed', 'Open the link'],
    [{ subscribers: 0 }, 'alarms: they notify nobody', '-c stage=prod -c alarmEmail='],
    [{ dead: [{ output: 'DeadLetterUrl', count: 3 }] }, 'dead letters: 3 in the queue DeadLetter', '#deadletters'],
    [{ dead: [{ output: 'DeadRunsUrl', count: 1 }] }, 'dead letters: 1 in the queue DeadRuns', '#deadruns'],
    [
      { exports: [{ site: 'acme', at: now - 31 * 3_600_000 }] },
      'warehouse: not exported for 30 hours: 1 site of 1: acme',
      '#missing',
    ],
    [{ exports: [{ site: 'acme', at: undefined }] }, 'warehouse: not exported for 30 hours: 1 site of 1', '#missing'],
  ] as [Partial<StageHealth>, string, string][])('with %j has its sentence and what to do', (part, sentence, todo) => {
    const [trouble, ...others] = troublesOf({ ...WELL, ...part }, 'support', now);
    expect([`${trouble?.what}: ${trouble?.says}`, trouble?.todo, others]).toEqual([
      expect.stringContaining(sentence),
      expect.stringContaining(todo),
      [],
    ]);
  });

  it('asks of a stage that may be destroyed neither protection nor somebody who is told', () => {
    expect(troublesOf({ ...WELL, stage: 'dev', isProtected: false, subscribers: 0 }, 'support', now)).toEqual([]);
  });
});

describe('a policy that lacks one right', () => {
  const sites = [{ name: 'acme', added: now }];
  const topic = { AlarmTopic: 'arn:aws:sns:eu-west-1:1:alarms', WarehouseBucket: 'facts' };

  async function looked(denied: string | undefined): Promise<string[]> {
    const outputs = { ...topic, DeadLetterUrl: `${server.url}/1/dead` };
    Object.assign(server, { denied, stack: { outputs, types: [] } });
    const client = connect({ endpoint: server.url });
    try {
      const health = await readDeployment(client, { name: 'support', sites, endpoint: server.url });
      return troublesOf(health, 'support', now).map(({ what, says, todo }) => `${what}: ${says} | ${todo}`);
    } finally {
      client.destroy();
    }
  }

  it('is no trouble where it lacks none', async () => {
    expect(await looked(undefined)).toEqual([]);
  });

  it.each([
    ['dynamodb:DescribeContinuousBackups', 'backups'],
    ['dynamodb:DescribeTimeToLive', 'TTL'],
    ['dynamodb:ListTagsOfResource', 'the stage'],
    ['cloudformation:DescribeStacks', 'the stack'],
    ['sns:ListSubscriptionsByTopic', 'alarms'],
    ['sqs:GetQueueAttributes', 'dead letters'],
    ['s3:GetObject', 'warehouse'],
  ])('of %s is told which look fails, and that right; nothing else is guessed', async (right, what) => {
    const [said = '', ...others] = await looked(right);
    expect(others).toEqual([]);
    expect(said).toMatch(new RegExp(`^${what}: cannot be looked at: .*not authorized to perform`));
    expect(said).toContain(`It needs the right ${right}`);
  });

  it('of the table itself is told as it is', async () => {
    await expect(looked('dynamodb:DescribeTable')).rejects.toThrow('perform: dynamodb:DescribeTable');
  });
});
