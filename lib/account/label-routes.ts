import * as z from 'zod';
import { recordName } from '../access/records.ts';
import { R_READ } from '../access/roles.ts';
import { type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { listThings, routesOf, sortQuery } from '../resource/routes.ts';
import { LABELS } from './label.ts';

const PATH = `${LABELS.path}/search`;

const has = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());
const listed = (text = ''): ReadonlySet<string> => new Set(text.split(',').map((part) => part.trim().toLowerCase()));

/** Labels: read, searched and written. */
export const labelRoutes: readonly Route[] = [
  route({
    name: 'searchLabels',
    summary: 'List the labels of a name or type',
    method: 'GET',
    path: PATH,
    roles: R_READ,
    list: true,
    extension: true,
    reads: (site) => [LABELS.storing.partition(site)],
    lists: ['ids'],
    query: {
      ...sortQuery,
      name: z.string().meta({ description: 'A part of the name, in any case' }),
      names: z.string().meta({ description: 'Whole names, separated by commas' }),
      type: z.string().meta({ description: 'Any of these types, separated by commas' }),
    },
    reply: () => pageShape(LABELS.shape()),
    handle: (call) => {
      const { name, names, type } = call.query;
      const [wholeNames, types] = [listed(names), listed(type)]; // once, not for each label
      return listThings(call, LABELS, PATH, (records) =>
        records.filter(
          (item) =>
            (name === undefined || has(recordName(item), name)) &&
            (names === undefined || wholeNames.has(recordName(item).toLowerCase())) &&
            (type === undefined || LABELS.parse(item).types.some((one) => types.has(one))),
        ),
      );
    },
  }),
  ...routesOf(LABELS),
];
