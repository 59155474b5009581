import { groupBy } from '../../lib/group-by.ts';

it('lists values by key, both in the order they come', () => {
  const groups = groupBy(['bb', 'a', 'cc', 'd', 'ee'], (text) => text.length);
  expect([...groups]).toEqual([
    [2, ['bb', 'cc', 'ee']],
    [1, ['a', 'd']],
  ]);
});
