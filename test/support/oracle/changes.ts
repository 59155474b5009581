import type { AnyExample } from './example.ts';
import { countsCasesOnce, isNullIn, isTotal } from './fields.ts';
import type { CellParts, Oracle } from './oracle.ts';

type Member = number | string | null;
type Side = 'now' | 'before';

/** A reply of `POST /api/v2/insights3/changes`. */
export interface ShownChanges {
  readonly now: { readonly value: number | null };
  readonly before: { readonly value: number | null };
  readonly dimensions: readonly ShownDimension[];
}

interface ShownDimension {
  readonly dimension: string;
  readonly told: boolean;
  readonly sentence?: string;
  readonly overlaps?: boolean;
  readonly members: readonly ShownMember[];
  readonly share: number | null;
}

interface ShownMember {
  readonly id: Member;
  readonly now: number | null;
  readonly before: number | null;
  readonly contribution: number | null;
  readonly rate_part: number | null;
  readonly mix_part: number | null;
  readonly without?: number | null;
}

const ACTED = ['action_agent', 'action_group'];
const MOMENTS = ['hour_of_day', 'weekday'];
const CASES = ['channel', 'label', 'priority', 'company', 'status'];
export const WHY_DIMENSIONS = [...ACTED, 'assigned_agent', 'assigned_group', ...CASES, ...MOMENTS];

/** The dimensions by which a field is not told (docs/insights.md): nobody acts, or no case is meant. */
export function untoldOf(field: string): readonly string[] {
  if (/^case_reopen(s|_rate)$|^sla_\w+_(missed|rate)$/.test(field)) return ACTED;
  if (field === 'open_cases') return [...ACTED, ...MOMENTS];
  return field === 'agent_time_online' ? CASES : [];
}

/** What was compared, and what differs. */
export interface ComparedChanges {
  readonly cells: number;
  readonly moved: number; // replies of which the number moved
  readonly overlapping: number; // dimensions
  readonly differences: readonly string[];
}

/**
 * Compares replies, one for each field of each example, with what the rules say of each member, counted from the raw
 * events (docs/insights.md, Why a number moved). Parts are compared before they are rounded, and must add up to the change.
 */
export async function compareChanges(
  oracle: Oracle,
  examples: readonly AnyExample[],
  replies: readonly (readonly ShownChanges[])[],
): Promise<ComparedChanges> {
  const asked = examples.flatMap(sidesOf);
  const parts = await oracle.parts(asked.map(({ example }) => example));
  const told = replies.flat();
  const found = examples.flatMap((example, place) =>
    example.body.fields.map((field, at) => {
      const partsOf = (dimension: string, side: Side): ReadonlyMap<Member, CellParts> =>
        parts[asked.findIndex((one) => one.place === place && one.dimension === dimension && one.side === side)]?.get(
          field,
        ) ?? new Map<Member, CellParts>();
      const reply = replies[place]?.[at];
      if (reply === undefined) throw new Error('a reply is missing');
      return compareReply(reply, { example, field, partsOf }).map((each) => ({ ...each, field, body: example.body }));
    }),
  );
  const all = found.flat();
  return {
    cells: all.length,
    moved: told.filter(({ dimensions }) => dimensions.length > 0).length,
    overlapping: told.flatMap(({ dimensions }) => dimensions.filter(({ overlaps }) => overlaps)).length,
    differences: all.filter(({ got, wanted }) => !isNear(got, wanted)).map((each) => JSON.stringify(each)),
  };
}

/** The listed custom fields of an example, as dimensions. */
const customOf = ({ reference }: AnyExample): string[] =>
  reference.flatMap((record) =>
    record.type === 'custom_field' && record.values != null ? [`custom_field:${record.id}`] : [],
  );

/** The reports whose cells a reply is made of. */
function sidesOf(example: AnyExample, place: number) {
  const { body } = example;
  return ['', ...WHY_DIMENSIONS, ...customOf(example)].flatMap((dimension) =>
    (['now', 'before'] as const).map((side) => {
      const { compare, ...time } = { compare: undefined, ...body.time };
      const split = dimension === '' ? {} : { dimension1: dimension };
      const asked = { ...body, ...split, time: side === 'now' ? time : body.time };
      return { place, dimension, side, example: { ...example, body: asked } as AnyExample };
    }),
  );
}

/** Something that a reply says, and what it should say; of numbers that are rounded the exact one. */
interface Compared {
  readonly what: string;
  readonly got: unknown;
  readonly wanted: unknown;
}

/** Equal, or a number and what it was rounded from. */
function isNear(got: unknown, wanted: unknown): boolean {
  if (typeof got !== 'number' || typeof wanted !== 'number') return JSON.stringify(got) === JSON.stringify(wanted);
  return Math.abs(got - wanted) <= 0.005 + 1e-9 * (1 + Math.abs(wanted));
}

/** A number that was asked for, with what its cells are made of. */
interface Asked {
  readonly example: AnyExample;
  readonly field: string;
  readonly partsOf: (dimension: string, side: Side) => ReadonlyMap<Member, CellParts>;
}

/** A number that moved. */
interface Moved extends Asked {
  readonly total: Readonly<Record<Side, CellParts>>;
  readonly before: number;
  readonly change: number;
}

function compareReply(reply: ShownChanges, asked: Asked): Compared[] {
  const { example, field, partsOf } = asked;
  const isNull = field === 'agent_time_online' && isOfCases(example);
  const total = { now: partOf(field, partsOf('', 'now'), null), before: partOf(field, partsOf('', 'before'), null) };
  const [now, before] = isNull ? [null, null] : [shownOf(field, total.now), shownOf(field, total.before)];
  const numbers = [
    { what: 'now', got: reply.now.value, wanted: now },
    { what: 'before', got: reply.before.value, wanted: before },
  ];
  if (now === null || before === null || now === before)
    return [...numbers, { what: 'dimensions', got: reply.dimensions, wanted: [] }];
  const moved = { ...asked, total, before, change: now - before };
  const untold = untoldOf(field);
  const shown = new Map(reply.dimensions.map((each) => [each.dimension, each]));
  const plain = [...shown.keys()].filter((name) => !name.startsWith('custom_field:'));
  const shares = reply.dimensions.filter(({ told }) => told).map(({ share }) => share ?? -1);
  return [
    ...numbers,
    { what: 'dimensions', got: plain.sort(), wanted: [...WHY_DIMENSIONS].sort() },
    { what: 'their order', got: shares, wanted: [...shares].sort((a, b) => b - a) },
    ...untold.map((name) => {
      const { told, members, sentence } = shown.get(name) ?? {};
      return { what: name, got: [told, members, typeof sentence], wanted: [false, [], 'string'] };
    }),
    ...[...WHY_DIMENSIONS, ...customOf(example)]
      .filter((name) => !untold.includes(name) && !isNullIn(field, { dimension1: name }, !PEOPLE.includes(name)))
      .flatMap((name) => compareDimension(shown.get(name), name, moved)),
  ];
}

const PEOPLE = [...ACTED, 'assigned_agent', 'assigned_group', ...MOMENTS];
const isOfCases = ({ body }: AnyExample): boolean =>
  (body.filters ?? []).flat().some(([, object]) => object !== 'Agents' && object !== 'Groups');

const NO_PARTS: CellParts = { sum: 0, per: 0, sample: [] };

function partOf(field: string, parts: ReadonlyMap<Member, CellParts>, member: Member): CellParts {
  const part = parts.get(member) ?? NO_PARTS;
  if (field.endsWith(':mean')) return { ...part, sum: part.sample.reduce((a, b) => a + b, 0), per: part.sample.length };
  if (field.endsWith(':count')) return { ...part, sum: part.sample.length, per: 1 };
  return isTotal(field) ? { ...part, per: 1 } : part;
}

/** The percentile that a field is; undefined for counts, rates and means. */
function percentOf(field: string): number | undefined {
  const [, statistic = ''] = field.split(':');
  return /^p\d+$/.test(statistic) ? Number(statistic.slice(1)) : { min: 0, max: 100 }[statistic];
}

function shownOf(field: string, { sum, per, sample }: CellParts): number | null {
  const percent = percentOf(field);
  if (percent !== undefined) return percentileOf(sample, percent);
  return per === 0 ? null : Number((200n * BigInt(sum) + BigInt(per)) / (2n * BigInt(per))) / 100; // half up
}

/** A percentile of whole seconds in order, without an error; null of none. */
function percentileOf(sample: readonly number[], percent: number): number | null {
  if (sample.length === 0) return null;
  const place = percent * (sample.length - 1);
  const low = sample[Math.floor(place / 100)] ?? 0;
  const high = sample[Math.floor(place / 100) + 1] ?? low;
  return (100 * low + (place % 100) * (high - low)) / 100;
}

function compareDimension(shown: ShownDimension | undefined, name: string, moved: Moved): Compared[] {
  const { field, partsOf, total, change } = moved;
  const [now, before] = [partsOf(name, 'now'), partsOf(name, 'before')];
  const known = [...now.keys(), ...before.keys()];
  const isPercentile = percentOf(field) !== undefined;
  if (shown === undefined && name.startsWith('custom_field:') && known.every((member) => member === null)) return [];
  const isOnceEach = countsCasesOnce(field) && [...ACTED, ...MOMENTS].includes(name);
  const overlaps = field === 'agent_time_online' ? name.endsWith('_group') : name === 'label' || isOnceEach;
  const members = new Map(shown?.members.map((member) => [member.id, member]));
  const exact: number[] = [];
  const compared = [...new Set([...known, ...members.keys()])].flatMap((id) => {
    const [one, other] = [partOf(field, now, id), partOf(field, before, id)];
    const parts = isPercentile ? undefined : partsOfChange(one, other, total);
    exact.push(parts?.whole ?? 0);
    const wanted = { one, other, parts, isOnceEach };
    return compareMember(members.get(id), wanted, moved).map((each) => ({
      ...each,
      what: `${name} ${id} ${each.what}`,
    }));
  });
  const sum = exact.reduce((a, b) => a + b, 0);
  const along = exact.filter((each) => each * change > 0).sort((a, b) => Math.abs(b) - Math.abs(a));
  const three = along.slice(0, 3).reduce((a, b) => a + b, 0) / change;
  return [
    ...compared,
    { what: `${name} overlaps`, got: shown?.overlaps ?? false, wanted: overlaps },
    ...(overlaps || isPercentile
      ? []
      : [
          {
            what: `${name} adds up`,
            got: sum,
            wanted: total.now.sum / total.now.per - total.before.sum / total.before.per,
          },
        ]),
    ...(isPercentile || along.length === 0
      ? [{ what: `${name} share`, got: shown?.share ?? null, wanted: null }]
      : [
          {
            what: `${name} share of the change`,
            got: ((shown?.share ?? 0) * Math.abs(change)) / 4,
            wanted: (Math.min(1, three) * Math.abs(change)) / 4,
          },
        ]), // of four rounded numbers
  ];
}

/** What a member should be. */
interface Wanted {
  readonly one: CellParts;
  readonly other: CellParts;
  readonly parts: ReturnType<typeof partsOfChange> | undefined; // undefined: of a percentile
  readonly isOnceEach: boolean; // a case may be of several members
}

function compareMember(
  member: ShownMember | undefined,
  { one, other, parts, isOnceEach }: Wanted,
  { field, total, before }: Moved,
): Compared[] {
  const [now, earlier] = [shownOf(field, one), shownOf(field, other)];
  if (member === undefined) {
    const isThere = Boolean(now) || Boolean(earlier) || Boolean(parts?.whole);
    return [{ what: 'is there', got: isThere, wanted: false }];
  }
  const values = [
    { what: 'now', got: member.now, wanted: now },
    { what: 'before', got: member.before, wanted: earlier },
  ];
  if (parts === undefined) {
    const left = percentileOf(withOthers(total.now.sample, one.sample, other.sample), percentOf(field) ?? 0);
    const without = isOnceEach || left === null ? null : left - before;
    return [...values, { what: 'without', got: member.without ?? null, wanted: without }];
  }
  const { contribution, rate_part, mix_part } = member;
  return [
    ...values,
    { what: 'contribution', got: contribution, wanted: parts.whole },
    { what: 'rate part', got: rate_part, wanted: isTotal(field) ? null : parts.rate },
    { what: 'mix part', got: mix_part, wanted: isTotal(field) ? null : parts.mix },
  ];
}

/** The parts of a contribution by the rule: with the shares w, the values r of a member, and R the total before. */
function partsOfChange(one: CellParts, other: CellParts, { now, before }: Readonly<Record<Side, CellParts>>) {
  const [w1, w0] = [one.per / now.per, other.per / before.per];
  const R = before.sum / before.per;
  if (one.per > 0 && other.per > 0) {
    const [r1, r0] = [one.sum / one.per, other.sum / other.per];
    const [rate, mix] = [w1 * (r1 - r0), (w1 - w0) * (r0 - R)];
    return { whole: rate + mix, rate, mix };
  }
  const whole = one.sum / now.per - other.sum / before.per - R * (w1 - w0); // r has no denominator where w is 0
  return { whole, rate: 0, mix: whole };
}

/** A sample with some of its values replaced by others, in order. */
function withOthers(all: readonly number[], taken: readonly number[], added: readonly number[]): number[] {
  const left = [...all];
  for (const value of taken) left.splice(left.indexOf(value), 1);
  return [...left, ...added].sort((a, b) => a - b);
}
