import type { Definitions } from '../../../../lib/console/model/definitions.ts';
import { createFormat } from '../../../../lib/console/model/format.ts';
import { createNames } from '../../../../lib/console/model/names.ts';
import { deletedSince, type StoryEvent, tell } from '../../../../lib/console/model/story.ts';
import { words } from '../../../../lib/console/model/text/text.ts';
import { FORMS } from '../../../../lib/history/storage/ledger-forms.ts';
import { definitions as definitionsOf } from '../../../../lib/insights/definitions/definitions.ts';

const definitions = JSON.parse(JSON.stringify({ ...definitionsOf(), site: { time_zone: 'UTC' } })) as Definitions;
const names = createNames(definitions, { custom_fields: { 7: { name: 'Plan' } } }, createFormat('en'));
const event = (type: string, rest: object = {}): StoryEvent => ({
  ...{ id: type, at: '2026-10-01 10:00:00', names: {}, ...rest },
  type,
});
const told = (type: string, rest?: object): string => {
  const { what, details } = tell(event(type, rest), names, (at) => at.slice(11, 16));
  return [what, ...details].join(' | ');
};
const ann = { names: { agent: 'Ann', group: 'First line' } };

describe('the story of a case', () => {
  it('has words for every type of event', () => {
    for (const type of Object.keys(FORMS)) {
      if (type.startsWith('agent.') || type === 'case.version') continue; // no story shows them
      expect([type, told(type).split(' | ')[0]]).not.toEqual([type, words(type.replace('.', ' '))]);
    }
  });

  it.each([
    [
      'case.created',
      { status: 'resolved', names: { channel: 'Mail', labels: ['a', 'b'] } },
      'Created | Resolved | Channel: Mail | Label: a, b',
    ],
    ['case.created', { custom_fields: { 7: 'Gold' } }, 'Created | Plan: Gold'],
    ['case.status', { to: 'pending', ...ann }, 'Ann set it to Pending | in First line'],
    ['case.status', { to: 'pending', automated: true }, 'The help desk set it to Pending'],
    ['case.status', { to: 'pending' }, 'Set to Pending'],
    ['case.assigned', { to: { agent: 3, group: 4 }, ...ann }, 'Assigned to Ann, First line'],
    ['case.assigned', { to: { agent: null } }, 'Assigned to nobody'],
    ['case.assigned', { to: { agent: null, group: 4 }, names: { group: 'First line' } }, 'Assigned to First line'],
    [
      'case.labels',
      { names: { add: ['new'], remove: ['old', 'older'] } },
      'Labels changed | added new | removed old, older',
    ],
    ['case.labels', { names: { set: [] } }, 'Labels changed | now none'],
    ['case.priority', { priority: null }, 'Priority cleared'],
    ['case.custom_field', { field: 7, value: null }, 'Plan: (empty)'],
    [
      'case.handled',
      { from: '2026-10-01 09:00:00', to: '2026-10-01 09:05:00', ...ann },
      'Ann worked on it | 09:00 to 09:05 | in First line',
    ],
    ['interaction', { direction: 'inbound' }, 'Customer wrote'],
    ['interaction', { direction: 'outbound', ...ann }, 'Ann replied | in First line'],
    ['interaction', { direction: 'outbound' }, 'An agent replied'],
    ['note', ann, 'Ann wrote a note | in First line'],
    ['macro.applied', { macro: 5, names: { agent: 'Ann', macro: 'Refund' } }, 'Ann used the macro “Refund”'],
    ['csat.rated', { score: 4 }, 'Customer rated it: 4'],
    ['csat.rated', { score: null }, 'Rating withdrawn'],
    ['case.frozen', { depth: 3 }, 'Case frozen | Depth: 3'],
  ])('tells %s %j as %s', (type, rest, sentence) => {
    expect(told(type, rest)).toBe(sentence);
  });

  it('says that a case is deleted until it is opened or resolved again', () => {
    const gone = event('case.deleted', { at: '2026-10-02 00:00:00' });
    expect(deletedSince([event('case.created')])).toBeUndefined();
    expect(deletedSince([event('case.created'), gone, event('note')])).toBe('2026-10-02 00:00:00');
    expect(deletedSince([gone, event('case.status', { to: 'open' })])).toBeUndefined();
    const resolved = event('case.created', { status: 'resolved' });
    expect(deletedSince([resolved, gone, event('case.status', { to: 'closed' })])).toBe('2026-10-02 00:00:00');
  });
});
