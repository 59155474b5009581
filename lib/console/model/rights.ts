import type { Definitions } from './definitions.ts';

/** The rights of the signed-in user that decide what the console shows. The service checks them again. */
export interface Rights {
  readonly definitions: Definitions | undefined; // undefined if the role has no reports
  readonly mayWrite: boolean; // may change topics and macros
  readonly mayImport: boolean;
}

const READERS: readonly string[] = ['Agent', 'Reporting Agent', 'Workflow Manager'];
const IMPORTERS: readonly string[] = ['Administrator', 'Billing Administrator'];

/** The rights of a role. */
export const rightsOf = (role: string, definitions: Definitions | undefined): Rights => ({
  definitions,
  mayWrite: !READERS.includes(role),
  mayImport: IMPORTERS.includes(role),
});
