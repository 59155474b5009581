import { tries } from '../../../support/generators/depth.ts';
import { loadProposed } from '../../../support/generators/load-proposed.ts';
import { type Outcome, outcomeOf } from '../../../support/generators/unknown/outcome.ts';
import { presentStates } from '../../../support/generators/unknown/present-state.ts';

describe('files of a history that is known', () => {
  const all: Outcome[] = [];
  it('are never read wrongly in silence, and none is refused', async () => {
    const count = tries(400, 1 / 4);
    for (let seed = 1; seed <= count; seed += 1) all.push(await outcomeOf(seed));
    const failed = all.filter(({ is }) => is === 'wrong' || is === 'refused');
    expect(failed.map(({ file, is, why }) => `${is} ${file.seed}: ${why}`)).toEqual([]);
  });

  it('are asked about as little as possible', () => {
    const questions = all.map(({ asked }) => asked.length);
    expect(Math.max(...questions)).toBeLessThanOrEqual(5);
    expect(Math.max(...all.map(({ rounds }) => rounds))).toBeLessThanOrEqual(3);
    expect(questions.reduce((sum, count) => sum + count, 0) / all.length).toBeLessThan(2);
    const sure = all.filter(({ file }) => file.doubts.length === 0);
    expect(sure.filter(({ is }) => is === 'right').length).toBeGreaterThanOrEqual(0.8 * sure.length);
  });
});

describe('what is proposed against the few rows of a value', () => {
  const valuesOf = async (rows: readonly string[]) => {
    const csv = ['Ticket;Status;Created;Resolved', ...rows].join('\n');
    const { asked } = await loadProposed(Buffer.from(csv), () => undefined, { zone: 'UTC' });
    return asked.find(({ id }) => id === 'meaning:Status')?.values ?? [];
  };
  const row = (id: number, status: string, isDone: boolean): string =>
    `${id};${status};2026-01-${10 + (id % 15)} 09:00;${isDone ? `2026-01-${11 + (id % 15)} 10:30` : ''}`;
  const agreeing = Array.from({ length: 8 }, (_, id) => row(id, id % 2 ? 'Closed' : 'New', id % 2 === 1));

  it('is its word, as a guess that the summary names', async () => {
    const values = await valuesOf([...agreeing, row(20, 'Pending', true), row(21, 'Pending', true)]);
    expect(values).toMatchObject([{ value: 'Pending', proposed: 'pending', guess: true }]);
  });

  it('is what they show once they are many, and no guess', async () => {
    const many = Array.from({ length: 6 }, (_, id) => row(20 + id, 'Pending', true));
    const values = await valuesOf([...agreeing, ...many]);
    expect(values.map(({ value, proposed, guess }) => [value, proposed, guess])).toEqual([
      ['Pending', 'resolved', undefined],
    ]);
  });
});

it('objects of a known history without their tables of history tell its present state', async () => {
  const seeds = Array.from({ length: tries(80, 1 / 8) }, (_, seed) => seed + 1);
  const all = (await Promise.all(seeds.map(presentStates))).flat();
  expect(all.filter(({ is }) => is === 'wrong')).toEqual([]);
  expect(all.length).toBe(8 * seeds.length);
});
