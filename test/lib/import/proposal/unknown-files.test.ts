import { tries } from '../../../support/generators/depth.ts';
import { type Outcome, outcomeOf } from '../../../support/generators/unknown/outcome.ts';

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
