import type { Definitions } from './definitions.ts';

/** The rights of the signed-in user that decide what the console shows. The service checks them again. */
export interface Rights {
  readonly role: string;
  readonly definitions: Definitions | undefined; // undefined if the role has no reports
  readonly mayWrite: boolean; // may change topics and macros
  readonly mayImport: boolean;
  readonly mayAdminister: boolean; // may change users and settings
}

const READERS: readonly string[] = ['Agent', 'Reporting Agent', 'Workflow Manager'];
const IMPORTERS: readonly string[] = ['Administrator', 'Billing Administrator'];

/** The rights of a role. */
export const rightsOf = (role: string, definitions: Definitions | undefined): Rights => ({
  role,
  definitions,
  mayWrite: !READERS.includes(role),
  mayImport: IMPORTERS.includes(role),
  mayAdminister: role === 'Administrator',
});
