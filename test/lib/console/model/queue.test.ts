import { type Activity, Busy, createQueue, Superseded } from '../../../../lib/console/model/queue.ts';

/** A queue over jobs that end when the test says so. */
function start() {
  const sent: string[] = [];
  const ends = new Map<string, (error?: unknown) => void>();
  const waits: number[] = [];
  const activities: Activity[] = [];
  const queue = createQueue(
    async (seconds) => {
      waits.push(seconds);
    },
    (activity) => activities.push(activity),
  );
  const ask = (slot: string, key: string, isFirst = false) =>
    queue.ask({
      slot,
      key,
      isFirst,
      send: (signal) => {
        sent.push(key);
        return new Promise<string>((resolve, reject) => {
          ends.set(key, (error) => (error === undefined ? resolve(`answer to ${key}`) : reject(error)));
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
  const begun = () => new Promise((resolve) => setTimeout(resolve));
  const end = async (key: string, error?: unknown): Promise<void> => {
    await begun();
    ends.get(key)?.(error);
    await begun();
  };
  return { queue, ask, begun, end, sent, waits, activities };
}

describe('the queue of reports', () => {
  it('sends one at a time, in order', async () => {
    const { ask, begun, end, sent } = start();
    const both = [ask('a', '1'), ask('b', '2')];
    await begun();
    expect(sent).toEqual(['1']);
    await end('1');
    expect(sent).toEqual(['1', '2']);
    await end('2');
    expect(await Promise.all(both)).toEqual(['answer to 1', 'answer to 2']);
  });

  it('sends what a page is opened for before what was asked for in the same breath, and what waits', async () => {
    const { ask, end, sent } = start();
    const all = [ask('a', '1'), ask('b', '2', true), ask('c', '3'), ask('e', '5', true)];
    await end('2');
    all.push(ask('d', '4', true));
    for (const key of ['5', '4', '1', '3']) await end(key);
    expect([await Promise.all(all), sent]).toEqual([
      ['1', '2', '3', '5', '4'].map((key) => `answer to ${key}`),
      ['2', '5', '4', '1', '3'],
    ]);
  });

  it('never sends what a later request of its slot replaced', async () => {
    const { ask, end, sent } = start();
    const first = ask('other', '1');
    const replaced = ask('a', '2');
    const last = ask('a', '3');
    await expect(replaced).rejects.toThrow(Superseded);
    await end('1');
    await end('3');
    expect([await first, await last, sent]).toEqual(['answer to 1', 'answer to 3', ['1', '3']]);
  });

  it('does not send what nobody waits for any more, and keeps the answer of what was sent', async () => {
    const { queue, ask, begun, end, sent } = start();
    const under = expect(ask('a', '1')).rejects.toThrow(Superseded);
    const waiting = expect(ask('b', '2')).rejects.toThrow(Superseded);
    await begun();
    for (const slot of ['a', 'b']) queue.leave(slot);
    await waiting;
    const next = ask('c', '3');
    await end('1');
    await under;
    await end('3');
    expect([await next, await ask('a', '1'), sent]).toEqual(['answer to 3', 'answer to 1', ['1', '3']]);
  });

  it('keeps the answer of a request that was replaced while it ran', async () => {
    const { ask, begun, end, sent } = start();
    const replaced = expect(ask('a', '1')).rejects.toThrow(Superseded);
    await begun();
    const last = ask('a', '2');
    await end('1');
    await replaced;
    await end('2');
    expect(await last).toBe('answer to 2');
    expect(await ask('a', '1')).toBe('answer to 1');
    expect(sent).toEqual(['1', '2']);
  });

  it('waits as a busy service says, and tries again', async () => {
    const { ask, end, sent, waits, activities } = start();
    const answer = ask('a', '1');
    await end('1', new Busy(3));
    expect([waits, sent]).toEqual([[3], ['1', '1']]);
    expect(activities).toContainEqual({ running: true, waitingFor: 3 });
    await end('1');
    expect(await answer).toBe('answer to 1');
    expect(activities.at(-1)).toEqual({ running: false, waitingFor: null });
  });

  it('tells failures, goes on after them, and cancels', async () => {
    const { queue, ask, end, sent } = start();
    const failing = expect(ask('a', '1')).rejects.toThrow('no');
    const next = expect(ask('b', '2')).rejects.toThrow(Superseded);
    await end('1', new Error('no'));
    await failing;
    queue.cancel('b');
    await next;
    expect(sent).toEqual(['1', '2']);
  });
});
