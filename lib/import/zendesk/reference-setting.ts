import type { ZendeskOptions } from './options.ts';
import type { Ignore } from './update.ts';

/** The setting in which reference records are read. */
export interface ReferenceSetting {
  readonly options: Pick<ZendeskOptions, 'withLogins' | 'statuses'>;
  readonly fieldNames: ReadonlyMap<number, string>; // id → title of the custom fields read so far
  readonly ignore: Ignore;
}
