import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { ownJson } from '../lib/own-json.ts';

const PLACE = /(?:file:\/\/)?\/[^\s():"]*\/index\.mjs:(\d+):(\d+)/g;

/**
 * Returns a function that replaces places in the bundle by those in the sources, `lib/log.ts:20:5`. It reads the map at
 * `url` with the first place, so that a start does not wait for it; without a map it replaces nothing.
 */
export function placesIn(url: URL): (text: string) => string {
  let map: SourceMap | undefined | null = null; // null: not read yet
  return (text) =>
    text.replace(PLACE, (place, line: string, column: string) => {
      if (map === null) map = readMap(url);
      const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !('originalSource' in entry)) return place;
      const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
}

function readMap(url: URL): SourceMap | undefined {
  try {
    return new SourceMap(ownJson<SourceMapPayload>(readFileSync(url, 'utf8')));
  } catch {
    return undefined;
  }
}
