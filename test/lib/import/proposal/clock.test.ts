import { newAsker } from '../../../../lib/import/proposal/asker.ts';
import { askOrder } from '../../../../lib/import/proposal/clock.ts';

it.each([
  ['03/04/2026', 'Which stands first in "03/04/2026", the day or the month?', 'the day: 3 April', 'the month: 4 March'],
  [undefined, 'Which stands first in the dates, the day or the month?', 'the day', 'the month'],
])('asks for the order of day and month with the example %s', (example, text, day, month) => {
  const asker = newAsker({});
  expect(askOrder({ order: 'day', state: 'open', ...(example && { example }) }, asker)).toBeUndefined();
  const choices = [
    { answer: 'day', text: day },
    { answer: 'month', text: month },
  ];
  expect(asker.open()).toMatchObject([{ text, choices }]);
});
