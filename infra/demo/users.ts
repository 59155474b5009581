import { ROLES, type Role } from '../../lib/access/roles.ts';
import type { User } from '../../lib/access/users.ts';

/** The demo site's name, and the password of all its users (docs/interface.md). */
export const DEMO_SITE = 'demo';
export const DEMO_PASSWORD = 'demo-password';
const DEMO_HOST = '@demo.example';

/** `Reporting Agent` → `reporting-agent@demo.example`. */
export const demoLogin = (role: Role): string => `${role.toLowerCase().replaceAll(' ', '-')}${DEMO_HOST}`;

/** One user for each role. */
export const DEMO_LOGINS = ROLES.map((role) => ({ role, login: demoLogin(role) }));

/** Whether a user is a demo user, whose password everybody knows. */
export const isDemoUser = ({ login, deleted }: User): boolean => !deleted && login.toLowerCase().endsWith(DEMO_HOST);
