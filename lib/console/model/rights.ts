import type { Definitions } from './definitions.ts';

/** What whoever is signed in may do, as far as the console has to know: the service decides. */
export interface Rights {
  readonly definitions: Definitions | undefined; // undefined: the role has no reports
  readonly mayWrite: boolean; // topics and macros
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
