import { memoize, memoizeSome, newMadeOnce } from '../../lib/memo.ts';

function countedEven() {
  const asked: number[] = [];
  const isEven = (key: number): boolean => {
    asked.push(key);
    return key % 2 === 0;
  };
  return { asked, isEven };
}

describe('a memo', () => {
  it('makes the value of each key once', () => {
    const { asked, isEven } = countedEven();
    expect([1, 2, 1, 2].map(memoize(isEven))).toEqual([false, true, false, true]);
    expect(asked).toEqual([1, 2]);
  });

  it('can hold its values by objects', () => {
    const keys = [{ of: 1 }, { of: 1 }];
    const made = memoize(({ of }: { of: number }) => ({ of }), new WeakMap());
    const [first, second, again] = [...keys, ...keys].map(made);
    expect(again).toBe(first);
    expect(second).not.toBe(first);
  });

  it('of some values forgets them when one more comes', () => {
    const { asked, isEven } = countedEven();
    expect([1, 2, 1, 3, 1].map(memoizeSome(2, isEven))).toEqual([false, true, false, false, false]);
    expect(asked).toEqual([1, 2, 3, 1]);
  });

  it('of functions keeps also what is undefined', () => {
    const once = newMadeOnce();
    let calls = 0;
    const nothing = (): undefined => void (calls += 1);
    expect([once(nothing, nothing), once(nothing, nothing)]).toEqual([undefined, undefined]);
    expect(calls).toBe(1);
  });
});
