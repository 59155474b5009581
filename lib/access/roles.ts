import { RIGHTS, type Right, ROLES, type Role } from '../vocabulary.ts';

export { ROLES, type Role };

const having = (right: Right): readonly Role[] => ROLES.filter((role) => RIGHTS[role].includes(right));

// The sets of roles that endpoints name.
export const R_READ: readonly Role[] = ROLES;
export const R_INSIGHTS = having('insights');
export const R_WRITE = having('write');
export const R_ADMIN = having('import');
export const R_SETTINGS = having('settings');

/** Whether the role `own` includes every right of `role`. */
export const isWithin = (role: Role, own: Role): boolean => RIGHTS[role].every((right) => RIGHTS[own].includes(right));

/** The role that a text names, in any case, with spaces, `-` or `_` between words; undefined if it names none. */
export function parseRole(text: string): Role | undefined {
  const plain = (value: string): string =>
    value
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
      .trim();
  return ROLES.find((role) => plain(role) === plain(text));
}
