import { RIGHTS, type Right, ROLES, type Role } from '../../vocabulary.ts';
import type { Definitions } from './definitions.ts';
import { text } from './text/text.ts';

/** The rights of the signed-in user that decide what the console shows. The service checks them again. */
export interface Rights {
  readonly role: string;
  readonly definitions: Definitions | undefined; // undefined if the role has no reports
  readonly mayWrite: boolean; // may change topics and macros
  readonly mayImport: boolean;
  readonly mayAdminister: boolean; // may change users and settings
}

/** What a role may do, in a sentence. */
export const roleSentence = (role: Role): string => {
  const { always, ...may } = text.settings.may;
  return text.settings.roleMay(text.listAnd([always, ...RIGHTS[role].map((right) => may[right])]));
};

/** The rights of a role; an unknown one reads. */
export function rightsOf(name: string, definitions: Definitions | undefined): Rights {
  const role = ROLES.find((known) => known === name);
  const may = (right: Right): boolean => role !== undefined && RIGHTS[role].includes(right);
  return { role: name, definitions, mayWrite: may('write'), mayImport: may('import'), mayAdminister: may('settings') };
}
