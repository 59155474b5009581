import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { heldBy, presentEvents } from '../../../../lib/live/vendors/present.ts';

const E = 1_772_366_370;
const shown = (changed: number, values: Parameters<typeof presentEvents>[0]['values']) => ({
  ...{ prefix: 'cw', id: '1', created: '2026-03-01T09:00:00Z', channel: 3, changed, values },
});
const base = { at: E * 1_000_000, case: '1' };
const created: CaseEvent = { type: 'case.created', id: 'cw:1', at: base.at - 1, case: '1', labels: [7], priority: 5 };
const assigned: CaseEvent = { type: 'case.assigned', id: `cw:o:1:${E}:assigned`, ...base, to: { agent: 2 } };

describe('what a case has now', () => {
  it('belongs to its creation when it is first fetched', () => {
    const values = { agent: 2, group: null, priority: 8, company: null, labels: [7], status: 'resolved' } as const;
    expect(presentEvents(shown(E, { ...values, fields: { 9: 'red' } }), [])).toEqual([
      {
        ...{ type: 'case.created', id: 'cw:1', at: '2026-03-01T09:00:00Z', case: '1', channel: 3, priority: 8 },
        ...{ company: undefined, labels: [7], custom_fields: { 9: 'red' }, status: 'resolved' },
      },
      { type: 'case.assigned', id: 'cw:1:a', at: '2026-03-01T09:00:00Z', case: '1', agent: 2, group: undefined },
    ]);
  });

  it('says nothing where it is as stored, or not told', () => {
    expect(presentEvents(shown(E + 9, { agent: 2, priority: 5, labels: [7] }), [created, assigned])).toEqual([]);
    expect(presentEvents(shown(E + 9, {}), [created, assigned])).toEqual([]);
  });

  it('has an id of its own where it changed twice in a second', () => {
    expect(presentEvents(shown(E, { agent: 3 }), [created, assigned])).toMatchObject([
      { id: `cw:o:1:${E + 1}:assigned`, agent: 3 },
    ]);
  });

  it('changes nothing by a record that is older than the stored one', () => {
    expect(presentEvents(shown(E - 1, { agent: 3, priority: 1 }), [created, assigned])).toEqual([]);
  });

  it('names each field that differs', () => {
    const values = { group: 4, company: 6, labels: [], fields: { 9: null, 8: 'blue' }, status: 'open' } as const;
    const kinds = presentEvents(shown(E + 5, values), [created, assigned]).map(({ id, type }) => [id, type]);
    expect(kinds).toEqual([
      [`cw:o:1:${E + 5}:assigned`, 'case.assigned'],
      [`cw:o:1:${E + 5}:company`, 'case.company'],
      [`cw:o:1:${E + 5}:labels`, 'case.labels'],
      [`cw:o:1:${E + 5}:field8`, 'case.custom_field'],
      [`cw:o:1:${E + 5}:status`, 'case.status'],
    ]);
  });

  it('is what all its events leave', () => {
    const events: CaseEvent[] = [
      created,
      assigned,
      { type: 'case.labels', id: 'a', ...base, add: [8], remove: [7] },
      { type: 'case.custom_field', id: 'b', ...base, field: 9, value: 'red' },
      { type: 'case.company', id: 'c', ...base, company: 6 },
      { type: 'case.priority', id: 'd', ...base, priority: null },
      { type: 'case.status', id: 'e', ...base, to: 'pending' },
      { type: 'case.assigned', id: 'f', ...base, to: { group: 4 } },
    ];
    expect(heldBy(events)).toEqual({
      ...{ agent: 2, group: 4, priority: null, company: 6, labels: new Set([8]), fields: { 9: 'red' } },
      status: 'pending',
    });
    expect(heldBy([...events, { type: 'case.deleted', id: 'g', ...base }]).status).toBe('deleted');
  });
});
