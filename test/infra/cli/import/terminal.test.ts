import { PassThrough } from 'node:stream';
import { settle } from '../../../../infra/cli/import/questions.ts';
import type { Answers } from '../../../../lib/import/proposal/proposal.ts';
import { propose } from '../../../../lib/import/proposal/propose.ts';
import { surveyCsv } from '../../../../lib/import/proposal/survey.ts';
import { bytesOf } from '../../../support/generators/read-rows.ts';

const DIALECT = { separator: ',', quote: '"', encoding: 'utf-8', skip: 0 };
const PRIORITIES = [
  'Ticket,Status,Opened,Priority',
  '1,Open,2026-02-01T09:00:00Z,1',
  '2,Open,2026-02-02T09:00:00Z,2',
  '3,Open,2026-02-03T09:00:00Z,3',
].join('\n');
const CSV = [
  'Ticket,Status,Opened,Finished',
  '1,Odd,2026-02-01 09:00,2026-03-01 09:00',
  '2,Odd,2026-02-02 09:00,',
  '3,Strange,2026-02-03 09:00,2026-02-04 09:00',
  '4,Resolved,2026-02-05 09:00,2026-02-06 09:00',
  '5,Open,2026-02-05 09:00,',
].join('\n');

/** A person who answers one prompt after the other, and all that they saw. */
function person(said: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...said];
  let seen = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    if (text.endsWith(']: ')) input.write(`${left.shift() ?? ''}\n`);
  });
  return { asks: { input, output }, seen: () => seen, left };
}

describe('questions on a terminal', () => {
  it('take what is proposed on Return, show rows on ?, and ask again after what is no answer', async () => {
    const survey = await surveyCsv(bytesOf(CSV), DIALECT);
    const { asks, seen, left } = person(['?', 'bogus', 'Pending', '4', '']);
    let rounds = 0;
    const { proposal, answers } = await settle(
      (given) => {
        rounds += 1;
        return propose(survey, given, { siteZone: 'Europe/Berlin' });
      },
      {},
      { assumes: false, asks },
    );
    expect(proposal.questions).toEqual([]);
    expect(answers).toMatchObject({ 'meaning:Status': { Odd: 'pending', Strange: 'resolved' }, zone: 'Europe/Berlin' });
    expect(left).toEqual([]);
    expect(seen()).toContain('"Odd" [open]: 1 | Odd | 2026-02-01 09:00 | 2026-03-01 09:00\n');
    expect(seen()).toContain('bogus is no answer: give a number from 1 to 7, Return, or ? for rows.\n');
    expect(rounds).toBeLessThanOrEqual(4); // three with questions, and the one without
  });

  it('end after four rounds that ask something new, and an answer that does not fit uses none up', async () => {
    const { asks, seen } = person(['amiss', 'amiss', '1', '1', '1', '1', '1']);
    const ask = (number: number) => ({
      questions: [{ id: `${number}`, about: 'zone', text: `Number ${number}?`, choices: [], proposed: '0' } as const],
    });
    const next = (given: Answers) => ask([1, 2, 3, 4, 5].find((number) => String(given[number]) !== '1') ?? 6);
    const { proposal, answers } = await settle(next, {}, { assumes: false, asks });
    expect([answers, proposal.questions.map(({ id }) => id)]).toEqual([{ 1: 1, 2: 1, 3: 1, 4: 1 }, ['5']]);
    expect(seen().match(/Number \d/g)).toEqual([
      'Number 1',
      'Number 1',
      'Number 1',
      'Number 2',
      'Number 3',
      'Number 4',
    ]);
  });

  it('ask once about a scale, whose values are only shown', async () => {
    const survey = await surveyCsv(bytesOf(PRIORITIES), DIALECT);
    const { asks, seen } = person(['high_first']);
    const { answers, proposal } = await settle((given) => propose(survey, given), {}, { assumes: false, asks });
    expect([answers, proposal.questions]).toEqual([{ 'priority_scale:Priority': 'high_first' }, []]);
    expect(seen()).not.toContain('"1" [');
  });
});
