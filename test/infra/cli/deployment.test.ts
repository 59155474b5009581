import { type StageHealth, troublesOf } from '../../../infra/cli/deployment.ts';

const now = Date.parse('2026-11-28T06:00:00Z');
const WELL: StageHealth = {
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
