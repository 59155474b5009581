import { DEMO_LOGINS } from './users.ts';

/** The members in the demo site's history, as records of the import format. */
export type DemoRecord = Readonly<Record<string, unknown>>;

type List<T> = readonly [T, ...T[]];

export const GROUPS: List<{ id: number; name: string }> = [
  { id: 1, name: 'First line' },
  { id: 2, name: 'Billing' },
  { id: 3, name: 'Technical' },
];

export const AGENTS: List<{ id: number; name: string; groups: List<number> }> = [
  { id: 1, name: 'Ann Becker', groups: [1] },
  { id: 2, name: 'Bob Tanaka', groups: [1, 2] },
  { id: 3, name: 'Carla Mendes', groups: [1] },
  { id: 4, name: 'Dmitri Petrov', groups: [2] },
  { id: 5, name: 'Esi Owusu', groups: [3] },
  { id: 6, name: 'Finn Larsen', groups: [3, 1] },
];

/** The ids of channels are the members of the channel dimension. */
export const CHANNELS: List<{ id: number; name: string }> = [
  { id: 1, name: 'Email' },
  { id: 2, name: 'Chat' },
  { id: 3, name: 'Phone' },
  { id: 4, name: 'Web form' },
];

export const DEMO_LABELS: List<{ id: number; name: string }> = [
  { id: 1, name: 'question' },
  { id: 2, name: 'refund' },
  { id: 3, name: 'bug' },
  { id: 4, name: 'shipping' },
  { id: 5, name: 'praise' },
];

export const DEMO_COMPANIES: List<{ id: number; name: string }> = [
  { id: 1, name: 'Northwind Cycles' },
  { id: 2, name: 'Blue Harbor Foods' },
  { id: 3, name: 'Ito Instruments' },
];

export const PLAN_FIELD = 1;
export const PLANS: List<string> = ['free', 'team', 'business'];
export const ORDER_FIELD = 2;

const recordsOf = (type: string, list: readonly object[]): DemoRecord[] => list.map((fields) => ({ type, ...fields }));

export const DEMO_MEMBERS: readonly DemoRecord[] = [
  ...recordsOf('group', GROUPS),
  ...recordsOf(
    'agent',
    AGENTS.map((agent) => ({ role: 'Agent', ...agent })),
  ),
  ...recordsOf('agent', [{ id: 7, name: 'Gus Former', role: 'Agent', groups: [1], deleted: true }]),
  // Those who may sign in are agents too, as programs ask who they are and expect an id.
  ...recordsOf(
    'agent',
    DEMO_LOGINS.map(({ role, login }, index) => ({ id: 8 + index, name: role, role, login })),
  ),
  ...recordsOf('channel', CHANNELS),
  ...recordsOf('label', DEMO_LABELS),
  ...recordsOf('company', DEMO_COMPANIES),
  ...recordsOf('custom_field', [
    { id: PLAN_FIELD, name: 'plan', object: 'case', values: PLANS },
    { id: ORDER_FIELD, name: 'order', object: 'case' },
    { id: 3, name: 'region', object: 'customer', values: ['Americas', 'Europe', 'Asia'] },
  ]),
];
