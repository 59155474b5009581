import type { Command } from 'commander';
import {
  DIMENSIONS,
  type Dictionary,
  dimensionNamed,
  isDimensionName,
} from '../../lib/insights/definitions/dimensions.ts';
import { FILTER_OBJECTS } from '../../lib/insights/definitions/filters.ts';
import { keysOf } from '../../lib/typed-object.ts';
import { Fault } from '../fault.ts';
import { columns } from './columns.ts';
import { membersLike } from './report/member-named.ts';
import { printableName } from './report/report-text.ts';
import { dictionaryOf, isOf } from './report/request-names.ts';
import { createReadMembers } from './report/site-members.ts';
import { onSite, type SitePlace } from './site.ts';

const EXAMPLES = `
Examples:
  $ npx support members --site acme
  $ npx support members label --site acme
  $ npx support members assigned_agent ann --site acme`;

/** `members`: the members that reports can name, with ids and names. */
export const membersCommand = (): Command =>
  onSite(
    [
      'members',
      'list the names and ids that can be used in requests of reports',
      EXAMPLES,
      ['[dimension]', 'only of this dimension or filter object, such as label or Companies'],
      ['[text]', 'only those with this text in their name'],
    ],
    {},
    doMembers,
  );

async function doMembers({ table, site }: SitePlace, _options: object, [wanted, text = '']: readonly string[]) {
  const read = createReadMembers(table, site);
  const dictionaries = wanted === undefined ? ALL : [dictionaryCalled(wanted)];
  const listed: { dimension: string; id: string | number; name: string; deleted: boolean }[] = [];
  for (const dictionary of dictionaries) {
    const [dimension, field] = isDimensionName(wanted)
      ? [wanted, dimensionNamed(wanted).field]
      : [dimensionsOf(dictionary).join(', ')];
    for (const member of membersLike(await read(dictionary), text))
      if (isOf(field, member.id)) listed.push({ dimension, ...member });
  }
  const rows = listed.map(({ dimension, id, name, deleted }) => [
    dimension,
    String(id),
    printableName(name) + (deleted ? ' (deleted)' : ''),
  ]);
  return { text: columns(['dimension', 'id', 'name'], rows) || 'No members.', json: listed };
}

/** The dictionaries listed by default; those equal for every site are listed only on request. */
const ALL: readonly Dictionary[] = ['agents', 'groups', 'channels', 'labels', 'macros', 'companies', 'customValues'];

const dimensionsOf = (dictionary: Dictionary): string[] =>
  Object.entries(DIMENSIONS).flatMap(([name, { members }]) => (members === dictionary ? [name] : []));

function dictionaryCalled(name: string): Dictionary {
  if (isDimensionName(name)) return dimensionNamed(name).members;
  const object = keysOf(FILTER_OBJECTS).find((each) => each.toLowerCase() === name.toLowerCase());
  if (object !== undefined) return dictionaryOf(object);
  const names = [...Object.keys(DIMENSIONS), ...Object.keys(FILTER_OBJECTS)];
  throw new Fault(`${name} is neither a dimension nor a filter object: there are ${names.join(', ')}.`, 2);
}
