import type { ZendeskOptions } from './options.ts';
import type { Ignore } from './update.ts';

/** What reference records are read with. */
export interface ReferenceSetting {
  readonly options: Pick<ZendeskOptions, 'withLogins' | 'statuses'>;
  readonly fieldNames: ReadonlyMap<number, string>; // of custom fields met so far
  readonly ignore: Ignore;
}
