import * as z from 'zod';
import type { Site } from '../../access/site-fields.ts';
import type { SourceTells } from '../../history/sources.ts';
import { actionInputShape } from '../../macros/action-input.ts';
import { ACTION_TYPES } from '../../macros/action-types.ts';
import { WINDOW_MEANINGS, WINDOW_SIZES } from '../windows.ts';
import { ALSO_CALLED } from './also-called.ts';
import { DIMENSION_NAMES, DIMENSIONS, type Dimension, dimensionNamed, WRITTEN } from './dimensions.ts';
import { DURATION_NAMES, DURATIONS, STATISTICS } from './durations.ts';
import {
  BETTER,
  FIELD_GROUPS,
  FIELD_NAMES,
  type Field,
  type FieldName,
  fieldNamed,
  isLevel,
  nullDimensions,
  untoldBy,
} from './fields.ts';
import { FILTER_ACTIONS, FILTER_MATCHES, FILTER_OBJECTS, type FilterObject } from './filters.ts';
import { noDataOn } from './no-data.ts';

const defined = { name: z.string(), meaning: z.string(), extension: z.boolean() };
const also_called = z.array(z.string()).meta({ description: 'Other words that people search it by' });
const labelled = { ...defined, label: z.string().meta({ description: 'The name for people, in English' }) };

const KINDS = ['total', 'mean', 'rate', 'statistic'] as const;
const better = () => ({ better: z.enum(BETTER).meta({ description: 'The direction of a change that is good' }) });
const presented = () => ({
  title: z.string().meta({ description: 'The name where it stands alone' }),
  ...better(),
  level: z.boolean().meta({ description: 'What is so at the end of a window: windows are not parts of one number' }),
});

const noData = () =>
  z.object({ sentence: z.string(), everywhere: z.boolean() }).nullable().meta({
    description:
      'What the history does not tell of it. everywhere: no source tells it, so that pages show –; else some sources do not',
  });

/** The definitions of everything that a report may contain, as replies show them. */
export const definitionsShape = () =>
  z.object({
    fields: z.array(
      z.object({
        ...labelled,
        group: z.enum(FIELD_GROUPS),
        unit: z.string(),
        kind: z.enum(KINDS).meta({ description: 'Where nothing qualifies, totals are 0 and all else is null' }),
        may_change: z.boolean().meta({ description: 'The field looks 14 days ahead, so recent days may still change' }),
        null_by: z.array(z.string()).meta({ description: 'Dimensions by which the field is null' }),
        not_told: z
          .record(z.string(), z.object({ sentence: z.string(), instead: z.string().nullable() }))
          .meta({ description: 'Dimensions by which the field means nothing: why, and which dimension to take' }),
        no_data: noData(),
        ...presented(),
        also_called,
      }),
    ),
    statistics: z.array(z.object({ ...labelled, unit: z.string(), kind: z.enum(KINDS), ...better() })),
    durations: z.array(z.object({ ...labelled, no_data: noData(), also_called })),
    dimensions: z.array(
      z.object({
        ...labelled,
        members: z.string(),
        written: z.enum(WRITTEN).meta({ description: 'How people see its members' }),
        values: z
          .array(z.union([z.string(), z.int()]))
          .nullable()
          .meta({ description: 'All members that there can be; null: those that meta names' }),
      }),
    ),
    filter_objects: z.array(
      z.object({
        ...labelled,
        members: z.string(),
        dimension: z.string().meta({ description: 'The dimension with the same members' }),
      }),
    ),
    filter_actions: z.array(z.string()),
    filter_matches: z.array(z.string()),
    windows: z.array(z.object(defined)),
    action_types: z.array(z.object({ name: z.string(), label: z.string(), input: actionInputShape() })),
    site: z.object({
      title: z.string(),
      time_zone: z.string(),
      week_start: z.string(),
      locales: z.array(z.string()),
      default_locale: z.string(),
      case_url: z.string().nullable().meta({ description: 'Address of a case in the help desk; {case} is its id' }),
    }),
  });

type Definitions = z.infer<ReturnType<typeof definitionsShape>>;

/** The site's settings that are defaults of report requests, and the locales of the site's topics. */
export const siteDefinition = ({
  title,
  timeZone,
  weekStart,
  locales,
  defaultLocale,
  caseUrl,
}: Site): Definitions['site'] => ({
  title,
  time_zone: timeZone,
  week_start: weekStart,
  locales: [...locales],
  default_locale: defaultLocale,
  case_url: caseUrl ?? null,
});

/**
 * Every field, statistic, dimension, filter object and window, from the registries that reports read. `told`: what the
 * site's sources can tell; undefined: unknown, so that everything counts as told.
 */
export const definitions = (told?: readonly SourceTells[]): Omit<Definitions, 'site'> => ({
  fields: FIELD_NAMES.map((name) => ({
    ...defineField(name),
    no_data: noDataOn(name, told),
    also_called: [...ALSO_CALLED[name]],
  })),
  statistics: Object.entries({
    ...STATISTICS,
    'p1 … p99': { label: 'percentile', meaning: 'an exact percentile of the sample, by linear interpolation' },
  }).map(([name, { label, meaning }]) => ({
    name,
    label,
    meaning: sentence(meaning),
    extension: true,
    ...presentationOf(name === 'count' ? 'reply_time:count' : 'reply_time:p50'),
  })),
  durations: DURATION_NAMES.map((name) => ({
    name,
    label: DURATIONS[name].label,
    also_called: [...DURATIONS[name].alsoCalled],
    no_data: noDataOn(`${name}:count`, told),
    meaning: sentence(`the sample of a cell is ${DURATIONS[name].sample}`),
    extension: true,
  })),
  dimensions: [...DIMENSION_NAMES.map((name) => [name, DIMENSIONS[name]] as const), ONE_CUSTOM_FIELD].map(
    ([name, { label, meaning, extension, members, written, values }]: readonly [string, Dimension]) => ({
      name,
      label,
      meaning,
      members,
      written,
      values: values && [...values],
      extension: extension === true,
    }),
  ),
  filter_objects: Object.entries(FILTER_OBJECTS).map(
    ([name, { dimension, meaning, extension, names }]: [string, FilterObject]) => ({
      name,
      label: DIMENSIONS[dimension].label,
      meaning,
      members: names,
      dimension,
      extension: extension === true,
    }),
  ),
  filter_actions: [...FILTER_ACTIONS],
  filter_matches: [...FILTER_MATCHES],
  windows: WINDOW_SIZES.map((name) => ({ name, meaning: WINDOW_MEANINGS[name], extension: false })),
  action_types: [...ACTION_TYPES].map(([name, { label, input }]) => ({ name, label, input })),
});

const ONE_CUSTOM_FIELD = ['custom_field:<id>', dimensionNamed('custom_field:0')] as const;

/** Describes a field, with the dimensions by which it is null. */
export function defineField(name: FieldName): Omit<Definitions['fields'][number], 'also_called' | 'no_data'> {
  const field = fieldNamed(name);
  const { group, label, title, meaning, extension = false, mayChange = false } = field;
  const untold = DIMENSION_NAMES.flatMap((dimension) => {
    const why = untoldBy(name, dimension);
    return why === undefined ? [] : [[dimension, { sentence: why.sentence, instead: why.use }] as const];
  });
  return {
    name,
    label,
    title,
    group,
    meaning,
    extension,
    ...presentationOf(name),
    level: isLevel(name),
    may_change: mayChange,
    null_by: [...nullDimensions(name)],
    not_told: Object.fromEntries(untold),
  };
}

function presentationOf(name: FieldName): Pick<Definitions['fields'][number], 'unit' | 'kind' | 'better'> {
  const field = fieldNamed(name);
  return { unit: field.unit, kind: kindOf(field), better: field.better };
}

function kindOf(field: Field): Definitions['fields'][number]['kind'] {
  if ('sample' in field) return 'statistic';
  if ('of' in field) return field.times === 100 ? 'rate' : 'mean';
  return 'total';
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
