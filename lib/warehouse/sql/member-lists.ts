import type { ListAttribute } from '../../history/segments/segment-columns.ts';
import { ATTRIBUTE_COLUMNS } from '../../insights/definitions/columns.ts';
import {
  DIMENSION_NAMES,
  type DIMENSIONS,
  type Dimension,
  dimensionNamed,
  type InstantPart,
  type MemberSource,
} from '../../insights/definitions/dimensions.ts';
import { castText } from '../../insights/sql/dialect.ts';
import { EXPORTED_KINDS } from '../tables.ts';
import type { SqlDialect } from './dialect.ts';

type Listed = keyof typeof DIMENSIONS;

/** The dimensions for which something holds of their definitions. */
export const dimensionsThat = (holds: (dimension: Dimension) => boolean): readonly Listed[] =>
  DIMENSION_NAMES.filter((name) => holds(dimensionNamed(name)));

/** Names as texts of SQL, with commas between them. */
export const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** A fact of no kind in particular has its members from its case, its instant, or who acted. */
const sourceOf = (name: Listed): MemberSource => dimensionNamed(name).source('created');

/** The column of `facts` with a fact's own member. */
const FACT_COLUMNS = { agents: 'action_agent', groups: 'action_group', values: 'value' } as const;

/** The members of a case and of a fact in a dimension, as lists of texts, by what the dimensions' definitions say. */
export function memberLists(sql: SqlDialect) {
  const local = (part: (time: string) => string): string => part(sql.local('begins', 'time_zone'));
  const lists: Readonly<Record<ListAttribute, string>> = {
    labels: `CAST(labels AS ${sql.texts})`,
    macros: `CAST(map_keys(macros) AS ${sql.texts})`,
    customValues: 'custom_members',
  };
  const parts: Readonly<Record<InstantPart, string>> = {
    hour: local((time) => `hour(${time})`),
    weekday: local(sql.weekday),
  };

  /** The members by the source that each dimension names; nothing for one without any here. */
  const membersBy = (dimension: string, of: (source: MemberSource) => string | undefined): string =>
    DIMENSION_NAMES.map((name) => ({ name, list: of(sourceOf(name)) }))
      .flatMap(({ name, list }) => (list === undefined ? [] : [`WHEN ${dimension} = '${name}' THEN ${list}`]))
      .join('\n    ');

  /** The members of a case in a dimension, as a list of texts. */
  const ofCase = (dimension: string): string => `CASE
    WHEN ${dimension} = '' THEN ARRAY['']
    ${membersBy(dimension, (source) => {
      if (source.of === 'list') return lists[source.list];
      return source.of === 'case' ? `ARRAY[${castText(ATTRIBUTE_COLUMNS[source.attribute])}]` : undefined;
    })}
    WHEN starts_with(${dimension}, 'custom_field:')
      THEN ${sql.kept('custom_members', 'one', `split_part(one, ':', 1) = split_part(${dimension}, ':', 2)`)} END`;

  /** The kinds of facts that name a member of a dimension themselves. */
  const ownMembers = (dimension: string): string =>
    EXPORTED_KINDS.flatMap((kind) =>
      dimensionsThat(({ source }) => 'column' in source(kind) && !('column' in source('created'))).map(
        (name) => `WHEN kind = '${kind}' AND ${dimension} = '${name}' THEN ARRAY[${castText(FACT_COLUMNS.values)}]`,
      ),
    ).join('\n    ');

  /** The members of a fact in a dimension. */
  const ofFact = (dimension: string): string => `CASE
    WHEN kind = 'online' AND ${dimension} IN (${quoted(dimensionsThat(({ online }) => online === 'agent'))}) THEN ARRAY[${castText('action_agent')}]
    WHEN kind = 'online' AND ${dimension} IN (${quoted(dimensionsThat(({ online }) => online === 'group'))})
      THEN CAST(${sql.distinct('agent_groups')} AS ${sql.texts})
    ${membersBy(dimension, (source) => {
      if (source.of === 'fact') return `ARRAY[${castText(FACT_COLUMNS[source.column])}]`;
      return source.of === 'instant' ? `ARRAY[${castText(parts[source.part])}]` : undefined;
    })}
    ${ownMembers(dimension)}
    ELSE ${ofCase(dimension)} END`;
  return { ofCase, ofFact };
}
