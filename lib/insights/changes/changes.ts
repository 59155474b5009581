import * as z from 'zod';
import { certain } from '../../certain.ts';
import type { Context } from '../../context.ts';
import { memoize } from '../../memo.ts';
import { type Closing, comparedRequest, createReader, scanPlans } from '../compute.ts';
import { DIMENSION_NAMES, type DimensionName, dimensionNamed } from '../definitions/dimensions.ts';
import {
  type CellNumbers,
  emptyValue,
  type Field,
  type FieldName,
  fieldNamed,
  fieldValues,
  measuresOf,
  sumAt,
  untoldBy,
} from '../definitions/fields.ts';
import { addsUp } from '../definitions/measures.ts';
import { NOTHING } from '../json-bytes.ts';
import { sampleIn } from '../percentiles.ts';
import { isNullIn, planReport } from '../plan.ts';
import type { Member, Reference } from '../reference.ts';
import type { ReportReader } from '../report-engine.ts';
import { echoRequest, type ReportRequest } from '../request.ts';
import type { ScanResult } from '../scan/scan-result.ts';
import { readReference } from '../site-reference.ts';
import { numbersIn } from '../table-rows.ts';
import { zonedTime } from '../windows.ts';
import type { ChangeRequest } from './change-request.ts';
import { contributionOf, type Part, percentileWith, restOf, shareOf } from './parts.ts';

const MOST_VALUES = 200; // of a custom field that is a dimension of its own
const MOST_MEMBERS = 5_000; // of a dimension in a reply, those that add most

const part = () => z.number().nullable();
const rangeShape = () => z.object({ min: z.string(), max: z.string(), value: z.number().nullable() });

/** Why a number moved, as replies show it. */
export const changesShape = () =>
  z.object({
    request: z.record(z.string(), z.unknown()),
    now: rangeShape().meta({ description: 'The range that is counted, and the number in it' }),
    before: rangeShape().meta({ description: 'The range that it is compared with, likewise' }),
    dimensions: z
      .array(
        z.object({
          dimension: z.string(),
          told: z.boolean().meta({ description: 'Whether the field means something by its members' }),
          sentence: z.string().optional().meta({ description: 'Why not' }),
          overlaps: z
            .boolean()
            .optional()
            .meta({ description: 'A case may be of several members: contributions do not add up' }),
          members: z.array(
            z.object({
              id: z.union([z.int(), z.string()]).nullable().meta({ description: 'null: cases without a member' }),
              now: part(),
              before: part(),
              contribution: part().meta({ description: 'What it adds to the change; null of a percentile' }),
              rate_part: part().meta({ description: 'Of a rate or mean: by its own number' }),
              mix_part: part().meta({ description: 'Of a rate or mean: by its share of the whole' }),
              without: part().optional().meta({
                description: 'Of a percentile: the change without that of the member; null where a case is of several',
              }),
            }),
          ),
          share: z
            .number()
            .nullable()
            .meta({ description: 'The part of the change that its three largest members make' }),
        }),
      )
      .meta({ description: 'Those first of which few members explain most; none if the number did not move' }),
  });

type Changes = z.infer<ReturnType<typeof changesShape>>;
type DimensionChange = Changes['dimensions'][number];
type MemberChange = DimensionChange['members'][number];

/** The dimensions by which a change is told, beside each custom field. */
const DIMENSIONS = DIMENSION_NAMES.filter(
  (name) => name !== 'macro' && name !== 'csat_score' && name !== 'custom_field',
);

/** Tells why a number moved: what each member of each dimension adds to its change, from one pass over the history a range. */
export async function findChanges(
  context: Context,
  { report, field }: ChangeRequest,
  reader: ReportReader = context.shared(createReader),
): Promise<Changes> {
  const before = certain(comparedRequest(report));
  const reference = await readReference(context, { ...report, dimension1: 'custom_field' });
  const asked = [...DIMENSIONS, 'custom_field' as const].filter(
    (name) => !isNullIn({ ...report, dimension1: name }, field),
  );
  const told = asked.filter((name) => untoldBy(field, name) === undefined);
  const names: readonly (DimensionName | 'total')[] = ['total', ...told];
  const runs: Closing[] = [];
  const sideOf = async (request: ReportRequest): Promise<Side> => {
    const plansOf = (extent?: Parameters<typeof planReport>[2]) =>
      names.map((name) => {
        const split = name === 'total' ? request : { ...request, dimension1: name };
        const plan = {
          ...planReport(split, reference, extent),
          keepsNone: name !== 'total' && name !== 'custom_field',
          byCase: true,
        };
        return { name, plan, scanned: plan };
      });
    const { resultOf } = await scanPlans(context, reader, plansOf, runs);
    const of = memoize((name: DimensionName | 'total') => cellsOf(field, certain(resultOf(name))));
    return { total: of('total'), of };
  };
  try {
    const sides = { now: await sideOf(report), before: await sideOf(before) };
    const [now, earlier] = [totalOf(sides.now, field), totalOf(sides.before, field)];
    return {
      request: echoRequest(report),
      now: { ...rangeIn(report), value: now },
      before: { ...rangeIn(before), value: earlier },
      dimensions:
        now === null || earlier === null || now === earlier
          ? []
          : dimensionsOf({ field, sides, now, earlier }, told, reference),
    };
  } finally {
    for (const run of runs) run.close();
  }
}

const rangeIn = ({ time: { zone, min, max } }: ReportRequest) => ({
  min: zonedTime(zone, min),
  max: zonedTime(zone, max),
});

/** The cells of one range by member; null is the member of facts without one. */
interface Cells {
  readonly byMember: ReadonlyMap<Member | null, number>;
  readonly numbers: CellNumbers;
  readonly values: Float64Array; // of the field, by cell
}

interface Side {
  readonly total: Cells;
  readonly of: (name: DimensionName) => Cells;
}

function cellsOf(field: FieldName, result: ScanResult): Cells {
  const [members] = result.members;
  const numbers = numbersIn(result);
  const byMember = new Map(Array.from(result.first, (number, cell) => [members[number] ?? null, cell] as const));
  return { byMember, numbers, values: fieldValues(field, numbers) };
}

const totalOf = ({ total: { byMember, values } }: Side, field: FieldName): number | null =>
  shown(values[byMember.get(null) ?? -1] ?? emptyValue(field));

const shown = (value: number): number | null => (value === NOTHING ? null : value);

/** What one dimension, or one custom field, has: members, and for each side their cells. */
interface Split {
  readonly name: DimensionName;
  readonly members: readonly (Member | null)[];
  readonly rest: boolean; // cases without a member are what the members leave of the total
}

/** A number that moved. */
interface Moved {
  readonly field: FieldName;
  readonly sides: Readonly<Record<'now' | 'before', Side>>;
  readonly now: number;
  readonly earlier: number;
}

function dimensionsOf(moved: Moved, told: readonly DimensionName[], reference: Reference): DimensionChange[] {
  const { field, sides } = moved;
  const splits = told.flatMap((name): Split[] => {
    const members = [...new Set([...sides.now.of(name).byMember.keys(), ...sides.before.of(name).byMember.keys()])];
    return name === 'custom_field' ? customSplits(members, reference) : [{ name, members, rest: false }];
  });
  const changes = splits.map((split) => dimensionChange(moved, split));
  const untold = DIMENSIONS.flatMap((dimension): DimensionChange[] => {
    const why = untoldBy(field, dimension);
    return why === undefined ? [] : [{ dimension, told: false, sentence: why.sentence, members: [], share: null }];
  });
  // Where few members make all of it, those first that leave least to be taken back by others.
  const first = changes.sort((a, b) => (b.share ?? -1) - (a.share ?? -1) || movedIn(a) - movedIn(b));
  return [...first, ...untold];
}

/** How much moved up and down in a dimension, together. */
const movedIn = ({ members }: DimensionChange): number =>
  members.reduce((sum, { contribution }) => sum + Math.abs(contribution ?? 0), 0);

/** The splits by each custom field with a list of values. */
function customSplits(members: readonly (Member | null)[], { customFields }: Reference): Split[] {
  return [...customFields].flatMap(([id, { listed }]): Split[] => {
    const own = members.filter((member) => typeof member === 'string' && member.startsWith(`${id}:`));
    if (!listed || own.length === 0 || own.length > MOST_VALUES) return [];
    return [{ name: `custom_field:${id}`, members: own, rest: true }];
  });
}

const NO_VALUES = new Float64Array(0);

/** How the cell of a member is read in one side: its parts, its number, and its sample. */
function readerOf(field: FieldName, side: Side, { name, members, rest }: Split) {
  const cells = side.of(rest ? 'custom_field' : name);
  const definition = fieldNamed(field);
  const total = side.total.byMember.get(null) ?? -1;
  const sampleOf = (of: Cells, cell: number | undefined): Float64Array => {
    if (!('sample' in definition) || cell === undefined || cell < 0) return NO_VALUES;
    return sampleIn(of.numbers.sortedOf(definition.sample), cell);
  };
  const partIn = (of: Cells, cell: number | undefined): Part => partOf(definition, of, cell ?? -1);
  const whole = partIn(side.total, total);
  const own = (member: Member): Part => partIn(cells, cells.byMember.get(member));
  const listed = members.filter((member) => member !== null);
  const isRest = (member: Member | null): member is null => rest && member === null;
  return {
    whole,
    sample: sampleOf(side.total, total),
    partOf: (member: Member | null): Part => {
      if (!isRest(member)) return partIn(cells, cells.byMember.get(member));
      const taken = listed.map(own);
      const left = (of: keyof Part): number => taken.reduce((sum, each) => sum - each[of], whole[of]);
      return { sum: left('sum'), count: left('count') };
    },
    sampleOf: (member: Member | null): Float64Array =>
      isRest(member)
        ? restOf(
            sampleOf(side.total, total),
            listed.map((each) => sampleOf(cells, cells.byMember.get(each))),
          )
        : sampleOf(cells, cells.byMember.get(member)),
  };
}

function partOf(definition: Field, { numbers: { sumsOf } }: Cells, cell: number): Part {
  if ('total' in definition) return { sum: sumAt([sumsOf(definition.total)], cell), count: 1 };
  if (!('of' in definition)) return { sum: 0, count: 0 };
  return { sum: sumAt(definition.of.map(sumsOf), cell), count: sumAt(definition.per.map(sumsOf), cell) };
}

function dimensionChange({ field, sides, ...values }: Moved, split: Split): DimensionChange {
  const definition = fieldNamed(field);
  const [now, before] = [readerOf(field, sides.now, split), readerOf(field, sides.before, split)];
  const members = split.rest ? [...split.members, null] : split.members;
  const times = 'of' in definition ? definition.times : 1;
  const change = values.now - values.earlier;
  const overlaps = isOverlapping(field, split.name);
  const changes = members.map((id): { readonly shown: MemberChange; readonly size: number } => {
    if ('sample' in definition) {
      const [sample, earlier] = [now.sampleOf(id), before.sampleOf(id)];
      const without =
        overlaps && dimensionNamed(split.name).of !== 'case' ? null : changeWithout(definition.percent, id);
      const [value, valueBefore] = [sample, earlier].map((each) =>
        percentileWith(definition.percent, each, NO_VALUES, NO_VALUES),
      );
      return {
        shown: { id, now: value ?? null, before: valueBefore ?? null, ...NO_PARTS, without },
        size: without === null ? 0 : Math.abs(change - without),
      };
    }
    const [one, other] = [now.partOf(id), before.partOf(id)];
    if ('total' in definition) {
      const contribution = one.sum - other.sum;
      return {
        shown: { id, now: one.sum, before: other.sum, ...NO_PARTS, contribution },
        size: Math.abs(contribution),
      };
    }
    const { whole, rate, mix } = contributionOf(one, other, { now: now.whole, before: before.whole });
    const parts = {
      contribution: rounded(times * whole),
      rate_part: rounded(times * rate),
      mix_part: rounded(times * mix),
    };
    const value = ({ sum, count }: Part): number | null => (count === 0 ? null : rounded((times * sum) / count));
    return { shown: { id, now: value(one), before: value(other), ...parts }, size: Math.abs(whole) };
  });
  const shownMembers = changes
    .sort((a, b) => b.size - a.size)
    .slice(0, MOST_MEMBERS)
    .map((each) => each.shown);
  const contributions = shownMembers.flatMap(({ contribution }) => contribution ?? []);
  return {
    dimension: split.name,
    told: true,
    ...(overlaps && { overlaps }),
    members: shownMembers,
    share: 'sample' in definition ? null : shareOf(change, contributions),
  };

  function changeWithout(percent: number, id: Member | null): number | null {
    const without = percentileWith(percent, now.sample, now.sampleOf(id), before.sampleOf(id));
    return without === null ? null : without - values.earlier;
  }
}

const NO_PARTS = { contribution: null, rate_part: null, mix_part: null };

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Whether one case, or one stretch of time online, may be of several members. */
function isOverlapping(field: FieldName, name: DimensionName): boolean {
  const dimension = dimensionNamed(name);
  const measures = [...measuresOf([field])];
  if (measures.includes('onlineSeconds')) return dimension.online === 'group';
  if (dimension.of === 'case') return name === 'label';
  return !measures.every(addsUp);
}
