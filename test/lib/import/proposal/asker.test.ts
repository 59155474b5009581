import { newAsker } from '../../../../lib/import/proposal/asker.ts';
import type { Question } from '../../../../lib/import/proposal/proposal.ts';

const question = (answers: Question['choices'][number]['answer'][]): Question => ({
  ...{ id: 'q', about: 'role', text: 'Which?', proposed: null },
  choices: answers.map((answer) => ({ answer, text: 'it' })),
});

it.each([
  ['a number for a text that reads so', ['4', '5'], 5, '5'],
  ['a truth value for the name of a column', ['true', 'Ticket'], true, 'true'],
  ['a text', ['5'], '5', '5'],
  ['null', ['5', null], null, null],
  [
    'an object, whatever the order of its keys',
    [{ column: 'Age', plus: 'Opened' }],
    { plus: 'Opened', column: 'Age' },
    { column: 'Age', plus: 'Opened' },
  ],
] as const)('takes %s', (_, answers, given, taken) => {
  const asker = newAsker({ q: given });
  expect(asker.ask(question([...answers] as never))).toEqual(taken);
  expect(asker.open()).toEqual([]);
});

it.each([
  ['a number that no choice reads as', ['4', '5'], 6],
  ['null where a column is called so', ['null'], null],
  ['a text for a number', [5], '5'],
] as const)('asks again after %s', (_, answers, given) => {
  const asker = newAsker({ q: given });
  expect(asker.ask(question([...answers] as never))).toBeUndefined();
  expect(asker.open()).toMatchObject([{ text: `${JSON.stringify(given)} is no answer. Which?` }]);
});
