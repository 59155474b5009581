import { newRejections } from '../../../../lib/import/rejects/rejections.ts';

it('groups rejections by their reason, with the values that differ apart', () => {
  const { add, groups } = newRejections();
  for (const [place, status] of ['Parked', 'Gone', 'Parked'].entries())
    add(`a:${place + 1}`, `Status of 2 words: "${status}" is not in the mapping's table`);
  for (const place of [4, 5]) add(`a:${place}`, 'when: "no" is no time');
  for (let id = 1; id <= 7; id += 1) add('b:1', `id: "${id}" is the id of another event of case ${10 * id}`);
  expect(groups().map(({ reason, count, first }) => [count, reason, first.length])).toEqual([
    [
      7,
      'id: … is the id of another event of case … ("1" and 10, "2" and 20, "3" and 30, "4" and 40, "5" and 50, …)',
      5,
    ],
    [3, `Status of 2 words: … is not in the mapping's table ("Parked" 2 times, "Gone")`, 3],
    [2, 'when: "no" is no time', 2],
  ]);
});

it('counts together what has more reasons than anybody reads', () => {
  const { add, groups } = newRejections();
  for (let place = 0; place < 210; place += 1) add(`a:${place}`, `${'x'.repeat(place)} is wrong`);
  const all = groups();
  expect([all.length, all[0]]).toEqual([
    201,
    { reason: 'other reasons', count: 10, first: ['a:200', 'a:201', 'a:202', 'a:203', 'a:204'] },
  ]);
});
