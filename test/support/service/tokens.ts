import { type Token, tokenWrites } from '../../../lib/access/tokens.ts';
import type { Table } from '../../../lib/store/table.ts';

/** Stores a new token. */
export const addToken = (table: Table, site: string, token: Token): Promise<void> =>
  table.transact(tokenWrites(site, { before: undefined, after: token }));
