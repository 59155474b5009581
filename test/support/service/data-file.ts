import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folders of data sets that we may not publish: beside the checkout, or beside the main checkout of a worktree. */
const PLACES = ['../shared/data', '../../shared/data'];

/** The path of a data set; null if it is absent. */
export function sharedData(name: string): string | null {
  return PLACES.map((place) => resolve(place, name)).find((path) => existsSync(path)) ?? null;
}
