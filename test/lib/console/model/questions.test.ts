import { daysBetween } from '../../../../lib/console/model/period.ts';
import {
  choiceOf,
  effectOf,
  FIELD,
  fieldAfter,
  firstAnswers,
  meaningAfter,
  openOf,
  type Question,
  roleAfter,
  type ShownProposal,
  valuesOf,
  withField,
  withMeaning,
  withRole,
} from '../../../../lib/console/model/questions.ts';

const CHOICES = [
  { answer: 'open', text: 'Open' },
  { answer: 'closed', text: 'Closed' },
  { answer: null, text: 'Nothing' },
];
const STATUS: Question = {
  ...{ id: 'meaning:State', about: 'meaning', column: 'State', text: 'What do these words mean?', choices: CHOICES },
  proposed: { Parked: 'open' },
  values: [
    { value: 'Parked', rows: 4, proposed: 'open', effect: { resolved_cases: { open: 0, closed: 4 } } },
    { value: 'Odd', rows: 1, proposed: null },
  ],
};
const ZONE: Question = { id: 'zone', about: 'zone', text: 'In which zone?', choices: [], proposed: 'UTC' };
const SURE = { state: 'proven', why: 'its name' } as const;
const PROPOSAL: ShownProposal = {
  kind: 'tickets',
  columns: ['Opened', 'Due', 'State'],
  roles: [
    { role: 'created', label: 'Created at', column: 'Opened', state: 'proven', why: 'its name' },
    { role: 'solved', label: 'Solved at', column: null, state: 'open', why: 'no column' },
  ],
  units: [],
  fields: [],
  meanings: [
    {
      role: 'status',
      column: 'State',
      choices: CHOICES,
      values: [{ value: 'Parked', rows: 4, meaning: 'open', ...SURE }],
    },
  ],
};

describe('the table of columns', () => {
  const kept = { ...PROPOSAL, fields: [{ column: 'State', name: 'Stage', ...SURE }] };

  it('keeps a column as a custom field, by another name, or not', () => {
    expect([roleAfter(kept, {}, 'State'), fieldAfter(kept, {}, 'State')]).toEqual([FIELD, 'Stage']);
    const off = withRole(kept, {}, 'State', undefined);
    expect([off, roleAfter(kept, off, 'State')]).toEqual([{ 'field:State': null }, undefined]);
    const on = withField(withRole(kept, off, 'State', FIELD), 'State', ' Phase ');
    expect([on, fieldAfter(kept, on, 'State')]).toEqual([{ 'field:State': 'Phase' }, 'Phase']);
  });

  it('gives a column one thing: a role takes the field, and the field the role', () => {
    const solved = withRole(kept, {}, 'State', 'solved');
    expect([solved, roleAfter(kept, solved, 'State')]).toEqual([
      { 'field:State': null, 'role:solved': 'State' },
      'solved',
    ]);
    expect(withRole(kept, {}, 'Opened', FIELD)).toEqual({ 'role:created': null, 'field:Opened': 'Opened' });
    expect(roleAfter(kept, { 'role:created': null, 'field:Opened': 'Opened' }, 'Opened')).toBe(FIELD);
  });
});

describe('questions about a file', () => {
  it('begin with the proposed meanings, and leave every other choice to a person', () => {
    const answers = firstAnswers([STATUS, ZONE]);
    expect(answers).toEqual({ 'meaning:State': { Parked: 'open' } });
    expect(openOf([STATUS, ZONE], {})).toEqual([STATUS, ZONE]);
    expect(openOf([STATUS, ZONE], { ...answers, zone: 'UTC' })).toEqual([STATUS]);
    const whole = { 'meaning:State': { Parked: 'open', Odd: null } };
    expect(openOf([STATUS, ZONE], whole)).toEqual([ZONE]);
    expect(openOf([STATUS, ZONE], { ...whole, zone: 'UTC' })).toEqual([]);
  });

  it('are open for as long as one of their values has no meaning, also where none is proposed for any', () => {
    const times: Question = {
      ...{ id: 'times', about: 'meaning', text: 'What are these times?', choices: CHOICES, proposed: { Left: null } },
      values: [{ value: 'Left', rows: 3, proposed: null }],
    };
    const answers = firstAnswers([times]);
    expect([answers, openOf([times], answers)]).toEqual([{}, [times]]);
    expect(openOf([times], { times: {} })).toEqual([times]);
    expect(openOf([times], { times: { Left: null } })).toEqual([]);
  });

  it('have one answer where their values only stand beside the choices', () => {
    const scale: Question = {
      ...{ id: 'priority_scale:P', about: 'priority_scale', text: 'Which is the most urgent?', choices: CHOICES },
      ...{ proposed: 'open', values: [{ value: '1', rows: 3, proposed: null }] },
    };
    expect([valuesOf(scale), firstAnswers([scale]), openOf([scale], {})]).toEqual([[], {}, [scale]]);
    expect(openOf([scale], { 'priority_scale:P': 'open' })).toEqual([]);
  });

  it('show the numbers that hang on a meaning', () => {
    const [parked, odd] = STATUS.values ?? [];
    if (parked === undefined || odd === undefined) throw new Error('no values');
    expect(effectOf(parked, 'closed')).toEqual([['resolved_cases', 4]]);
    expect(effectOf(parked, 'pending')).toEqual([]);
    expect(effectOf(odd, 'open')).toEqual([]);
  });

  it('know a choice by its answer, whatever kind of value that is', () => {
    const later = { column: 'Opened', plus: { column: 'Minutes', unit: 'minutes' } };
    expect(choiceOf([...CHOICES, { answer: later, text: 'Later' }], { ...later })).toBe(3);
    expect(choiceOf(CHOICES, null)).toBe(2);
    expect(choiceOf(CHOICES, undefined)).toBe(-1);
  });
});

describe('the table of columns', () => {
  it('gives a column one role, which it takes from its other role', () => {
    const answers = withRole(PROPOSAL, {}, 'Opened', 'solved');
    expect(answers).toEqual({ 'role:created': null, 'role:solved': 'Opened' });
    expect(roleAfter(PROPOSAL, answers, 'Opened')).toBe('solved');
    expect(roleAfter(PROPOSAL, withRole(PROPOSAL, answers, 'Opened', undefined), 'Opened')).toBeUndefined();
  });

  it('takes a role from the column that had it', () => {
    const answers = withRole(PROPOSAL, {}, 'Due', 'created');
    expect([roleAfter(PROPOSAL, answers, 'Due'), roleAfter(PROPOSAL, answers, 'Opened')]).toEqual([
      'created',
      undefined,
    ]);
  });

  it('answers for all values of a column when the meaning of one is changed', () => {
    const [column] = PROPOSAL.meanings;
    if (column === undefined) throw new Error('no column');
    const two = { ...column, values: [...column.values, { value: 'Odd', rows: 1, ...SURE }] };
    const answers = withMeaning(two, {}, 'Odd', 'closed');
    expect(answers).toEqual({ 'meaning:State': { Parked: 'open', Odd: 'closed' } });
    expect(meaningAfter(two, answers, 'Parked')).toBe('open');
    const open = {
      ...two,
      values: [...two.values, { value: 'New', rows: 2, state: 'open', why: 'nothing says' } as const],
    };
    expect(withMeaning(open, {}, 'Odd', 'closed')).toEqual(answers); // that of "New" is left to be asked
  });
});

it('the period of a file is the days of its events in the site’s zone', () => {
  expect(daysBetween('2025-01-04T02:00:00Z', '2025-02-28T23:30:00Z', 'America/New_York')).toEqual({
    ...{ kind: 'range', from: '2025-01-03', until: '2025-03-01' },
  });
});
