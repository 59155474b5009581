import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where the data sets lie that are not ours to publish: beside the checkout, or beside the one a worktree is of. */
const PLACES = ['../shared/data', '../../shared/data'];

/** The path of a data set, null where it is absent. */
export function sharedData(name: string): string | null {
  return PLACES.map((place) => resolve(place, name)).find((path) => existsSync(path)) ?? null;
}
