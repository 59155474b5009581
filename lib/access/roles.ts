import { ROLES } from '../vocabulary.ts';

export { ROLES };

/** One of the ten roles. Below, the sets of roles that endpoints name. */
export type Role = (typeof ROLES)[number];

const allBut = (...excluded: readonly Role[]): readonly Role[] => ROLES.filter((role) => !excluded.includes(role));

export const R_READ: readonly Role[] = ROLES;
export const R_INSIGHTS: readonly Role[] = allBut('Agent', 'Reporting Agent');
export const R_WRITE: readonly Role[] = allBut('Agent', 'Reporting Agent', 'Workflow Manager');

export const R_ADMIN: readonly Role[] = ['Administrator', 'Billing Administrator'];

/** Who changes the settings of a site, its users and their tokens, and reads the audit. */
export const R_SETTINGS: readonly Role[] = ['Administrator'];

/** Whether the role `own` includes every right of `role`. */
export function isWithin(role: Role, own: Role): boolean {
  const sets: readonly (readonly Role[])[] = [R_READ, R_INSIGHTS, R_WRITE, R_ADMIN, R_SETTINGS];
  return sets.every((set) => !set.includes(role) || set.includes(own));
}

/** The role that a text names, in any case, with spaces, `-` or `_` between words; undefined if it names none. */
export function parseRole(text: string): Role | undefined {
  const plain = (value: string): string =>
    value
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
      .trim();
  return ROLES.find((role) => plain(role) === plain(text));
}
