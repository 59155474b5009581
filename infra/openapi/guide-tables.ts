import { definitions } from '../../lib/insights/definitions/definitions.ts';

/** Descriptions of the ids of members, by the dictionary or the names in a registry. */
const MEMBERS: Readonly<Record<string, string>> = {
  agents: 'ids of agents',
  groups: 'ids of groups',
  channels: 'ids of channels',
  labels: 'ids of labels',
  macros: 'ids of macros',
  companies: 'ids of companies',
  customValues: '`<field>:<hash>`, or `<field>` where it has no list of values',
  customFields: '`<field>:<hash>`, or `<field>` where it has no list of values',
  priorities: '1 to 10',
  scores: '1 to 4, or 0 and 1',
  statuses: 'the words of statuses',
  hour: '0 to 23',
  weekday: '1 (Monday) to 7',
};

type Defined = { readonly name: string; readonly meaning: string; readonly extension: boolean };

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(header), `|${'---|'.repeat(header.length)}`, ...rows.map(row)].join('\n');
const meant = ({ meaning, extension }: Defined): string => `${meaning}${extension ? ' (extension)' : ''}`;

/** The guide's tables of the registries, by the mark around each. */
function guideTables(): Readonly<Record<string, string>> {
  const { windows, dimensions, filter_objects, statistics, fields } = definitions();
  const nullBy = (dimension: string): string =>
    fields
      .flatMap(({ name, null_by }) => (null_by.includes(dimension.replace(':<id>', '')) ? [`\`${name}\``] : []))
      .join(', ');
  return {
    windows: table(
      ['`window_size`', 'a window is'],
      windows.map((one) => [`\`${one.name}\``, meant(one)]),
    ),
    dimensions: table(
      ['dimension', 'what it is', 'members', 'fields that are null by it'],
      dimensions.map((one) => [`\`${one.name}\``, meant(one), MEMBERS[one.members] ?? one.members, nullBy(one.name)]),
    ),
    filters: table(
      ['filter object', 'what it is', '`ids`; what a text is compared with'],
      filter_objects.map((one) => [
        `\`${one.name}\``,
        meant(one),
        one.members === 'digits'
          ? 'the number or word itself; the same'
          : `${MEMBERS[one.members] ?? one.members}; their names`,
      ]),
    ),
    statistics: table(
      ['statistic', 'unit', 'what it is'],
      statistics.map((one) => [`\`${one.name}\``, one.unit, one.meaning]),
    ),
  };
}

/** A guide with its tables rewritten. Throws if the marks of one are missing. */
export function withGuideTables(guide: string): string {
  return Object.entries(guideTables()).reduce((text, [name, made]) => {
    const [begin, end] = [text.indexOf(`<!-- ${name} -->`), text.indexOf(`<!-- /${name} -->`)];
    if (begin < 0 || end < begin) throw new Error(`docs/insights.md has no place for its table of ${name}`);
    return `${text.slice(0, begin)}<!-- ${name} -->\n${made}\n${text.slice(end)}`;
  }, guide);
}
