import { freshnessText } from '../../../lib/console/model/freshness.ts';
import { DESKS, deskWords, REMEDIES } from '../../../lib/console/model/settings/desks.ts';
import { COMPARED, REASONS } from '../../../lib/live/check/check.ts';
import { SYSTEMS } from '../../../lib/live/desk.ts';
import { STATES } from '../../../lib/live/show.ts';
import { TROUBLES } from '../../../lib/live/trouble.ts';
import { vendorOf } from '../../../lib/live/vendors/vendors.ts';

describe('the words of the page of the help desk', () => {
  it('has a card for each system that can be connected, with what it asks for', () => {
    expect(
      DESKS.map(({ system, title, account, makesSecret }) => [
        ...[system, title, account !== undefined, makesSecret ?? false],
      ]),
    ).toEqual(
      SYSTEMS.map((system) => {
        const { title, needsAccount, makesSecret } = vendorOf(system);
        return [system, title, needsAccount ?? false, makesSecret ?? false];
      }),
    );
  });

  it('says what to do about each error, and each state, measure and reason in words', () => {
    expect(Object.keys(REMEDIES).sort()).toEqual([...TROUBLES].sort());
    for (const state of STATES) expect(deskWords.stateOf(state)).not.toBe(state);
    for (const reason of REASONS) expect(deskWords.reasonOf(reason)).not.toBe(reason);
    for (const measure of COMPARED) expect(deskWords.measureOf(measure)).not.toBe(undefined);
  });
});

describe('how fresh the numbers are', () => {
  const moments = {
    clock: (instant: string) => instant.slice(0, 19),
    time: (local: string) => local.slice(11, 16),
    moment: (local: string) => local.slice(0, 16),
    now: '2026-03-01T14:06:00Z',
  };
  const said = (entry: object) => {
    const usual = { system: 'zammad', state: 'live', as_of: '2026-03-01T14:05:00Z', lag: 60 };
    return freshnessText({ entries: [{ ...usual, ...entry }] }, moments);
  };

  it.each([
    [{}, 'Zammad as of 14:05'],
    [{ as_of: '2026-02-28T14:05:00Z', lag: 86_460 }, 'Zammad as of 2026-02-28T14:05, late: no pull has ended since'],
    [{ state: 'paused' }, 'Zammad as of 14:05, late: the connection is paused'],
    [{ state: 'backfilling' }, 'Zammad as of 14:05'],
    [
      { state: 'backfilling', as_of: null, lag: null },
      'Zammad: nothing is in yet, late: earlier cases are still being fetched',
    ],
  ])('of %j is said as %s', (entry, words) => expect(said(entry)).toBe(words));

  it('says nothing without a help desk', () => expect(freshnessText({ entries: [] }, moments)).toBe(''));
});
