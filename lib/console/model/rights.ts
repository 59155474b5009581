import { RIGHTS, type Right, ROLES } from '../../vocabulary.ts';
import type { Definitions } from './definitions.ts';

/** The rights of the signed-in user that decide what the console shows. The service checks them again. */
export interface Rights {
  readonly role: string;
  readonly definitions: Definitions | undefined; // undefined if the role has no reports
  readonly mayWrite: boolean; // may change topics and macros
  readonly mayImport: boolean;
  readonly mayAdminister: boolean; // may change users and settings
}

/** The rights of a role; an unknown one reads. */
export function rightsOf(name: string, definitions: Definitions | undefined): Rights {
  const role = ROLES.find((known) => known === name);
  const may = (right: Right): boolean => role !== undefined && RIGHTS[role].includes(right);
  return { role: name, definitions, mayWrite: may('write'), mayImport: may('import'), mayAdminister: may('settings') };
}
