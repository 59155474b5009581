import { mapInSpells } from '../../lib/spell.ts';
import { spin, turnsDuring } from '../support/service/turns.ts';

it('long work keeps its order, and others have turns while it lasts', async () => {
  const double = (value: number): number => {
    spin();
    return value * 2;
  };
  const turns = await turnsDuring(async () => expect(await mapInSpells([1, 2, 3], double)).toEqual([2, 4, 6]));
  expect(turns).toBeGreaterThanOrEqual(3);
});
