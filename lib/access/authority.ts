import type { Answer } from '../context.ts';
import { Failure, oneFault, refusal } from '../errors.ts';
import type { Change } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import type { SiteTable } from '../store/site-table.ts';
import type { Table, Write } from '../store/table.ts';
import { type AuditEntry, auditActor, auditItem } from './audit.ts';
import { keepAdministrator } from './last-administrator.ts';
import { isPerson, type Principal, type SignedIn } from './principal.ts';
import { R_INSIGHTS, R_SETTINGS } from './roles.ts';
import type { Site } from './site-fields.ts';
import { siteWrites } from './sites.ts';
import { type Token, tokenId, tokenWrites } from './tokens.ts';
import { normalizeLogin, readUser, type User, unchangedUser, userWrite } from './users.ts';

/** A thing before and after a change: absent before if it is new, absent after if it goes. */
interface Changed<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Somebody who may sign in, before and after a change; who is removed stays as a user that is deleted. */
export interface UserChange extends Changed<User> {
  readonly after: User;
}

/** A change of who may do what, or of a site's settings: what was, and what will be. */
export interface AuthorityChange {
  readonly users?: readonly Changed<User>[]; // absent after: only of somebody who is erased
  readonly tokens?: readonly Changed<Token>[];
  readonly site?: Changed<Site> & { readonly isDefault?: boolean };
  /** A link that shows something without sign-in, made or ended: by who may see it. */
  readonly link?: boolean;
  /** Agreeing that others make such changes later, in the name of who agrees. */
  readonly agrees?: boolean;
  /** The last Administrator may go: of users whose password everybody knows, which only the operator removes. */
  readonly mayLeaveNone?: boolean;
}

/** Where a change comes in: a route, an import, an undo or the command line. */
export interface Door {
  readonly table: Table;
  readonly site: { readonly name: string };
  readonly now: number; // epoch ms
  readonly actor: Principal;
  /** Writes the change with its entry of the audit, in one transaction. */
  readonly commit: (changes: readonly Change[], answer: Answer | undefined, writes: readonly Write[]) => Promise<void>;
}

/** What an entry of the audit says of a change besides who made it. */
export type ChangeEntry = Pick<AuditEntry, 'id' | 'at' | 'action' | 'resource' | 'fields'>;

/** The door of work that is no request: an import, or an undo. */
export const doorOf = ({ table, site, collections, now }: SiteTable, actor: Principal, entry: ChangeEntry): Door => ({
  table,
  site: { name: site },
  now,
  actor,
  commit: (changes, _, writes) =>
    collections.commit(table, changes, { proof: auditItem(site, { ...entry, ...auditActor(actor) }), writes }),
});

/** What is written together with a change. */
interface Beside {
  readonly changes?: readonly Change[];
  readonly answer?: Answer;
}

/**
 * Makes a change of who may do what. All doors pass here. Throws a `Failure` that says why it is refused, and
 * `ConditionFailed` if another write came first; then nothing is changed.
 */
export async function changeAuthority(door: Door, change: AuthorityChange, beside: Beside = {}): Promise<void> {
  const writes = await planAuthority(door, change);
  await door.commit(beside.changes ?? [], beside.answer, writes);
}

/**
 * The writes of a change, with the checks that hold the rules until it is written: who acts still may, and an
 * Administrator stays. Throws a `Failure` that says why it is refused.
 */
export async function planAuthority(
  { table, site, now, actor }: Omit<Door, 'commit'>,
  change: AuthorityChange,
): Promise<readonly Write[]> {
  const { users = [], tokens = [], site: settings } = change;
  const checks = typeof actor === 'string' ? [] : await checkActor(table, site.name, actor, change);
  const keeping = change.mayLeaveNone ? [] : await keepAdministrator(table, site.name, users);
  if (typeof keeping === 'string') {
    const message = `${keeping} is the last Administrator who can sign in: make somebody else one first.`;
    const isRemoval = users.some(({ after }) => after === undefined || after.deleted);
    throw oneFault('invalid', [isRemoval ? 'base' : 'role'], message);
  }
  const writes: readonly Write[] = [
    ...users.flatMap((user) => userWrites(site.name, user, now)),
    ...tokens.flatMap((token) => tokenWrites(site.name, token)),
    ...(settings === undefined ? [] : siteWrites(settings)),
  ];
  return [...writes, ...onePerUser([...keeping, ...checks], users)];
}

function userWrites(site: string, { before, after }: Changed<User>, now: number): readonly Write[] {
  if (after !== undefined) return [userWrite(site, holderOf({ before, after }, now), before === undefined)];
  return before === undefined
    ? []
    : [{ delete: keys.user(site, normalizeLogin(before.login)), when: unchangedUser(before) }];
}

/**
 * A user as written. Who gets a login that is new, or that somebody lost, is somebody else: a generation tells them apart,
 * which is later than all that was made for an earlier holder, also where that one's user was erased.
 */
function holderOf({ before, after }: UserChange, now: number): User {
  const isHeld = before !== undefined && (!before.deleted || after.deleted);
  return isHeld ? after : { ...after, generation: Math.max((before?.generation ?? 0) + 1, now) };
}

/** A transaction takes one write of an item: users that are written have conditions of their own. */
function onePerUser(checks: readonly (Write & { readonly check: { sk: string } })[], users: readonly Changed<User>[]) {
  const logins = new Set(
    users.flatMap(({ before, after }) => [before, after]).map((user) => normalizeLogin(user?.login ?? '')),
  );
  return checks.filter(({ check: { sk } }, place) => {
    const isFirst = checks.findIndex((other) => other.check.sk === sk) === place;
    return isFirst && ![...logins].some((login) => keys.user('', login).sk === sk);
  });
}

/** Whether a user is still who acted: the same login, not one that was removed and made again. */
const isSame = (user: User | undefined, { generation }: Pick<SignedIn, 'generation'>): user is User =>
  user !== undefined && !user.deleted && (user.generation ?? 0) === generation;

/** Whether who agreed to changes, or asked to take them back, still may: checked when they are made. */
export async function maySettle(table: Table, site: string, actor: Principal | undefined): Promise<boolean> {
  return actor !== undefined && isPerson(actor) && (await mayStill(table, site, actor, R_SETTINGS));
}

/** Whether who acts is still the same user, in one of these roles: for work that goes on after its request was checked. */
export async function mayStill(
  table: Table,
  site: string,
  actor: Principal,
  roles: readonly User['role'][],
): Promise<boolean> {
  if (typeof actor === 'string') return true;
  const user = await readUser(table, site, actor.login);
  return isSame(user, actor) && roles.includes(user.role);
}

/** The check that somebody who signed in may still make a change. Throws `unauthorized`, `forbidden` and `invalid`. */
async function checkActor(table: Table, site: string, actor: SignedIn, change: AuthorityChange) {
  const user = await readUser(table, site, actor.login);
  if (!isSame(user, actor)) throw new Failure('unauthorized', { message: `${actor.login} is no user any more.` });
  const { tokens = [], users = [] } = change;
  const isOwn = ({ login }: Pick<User, 'login'>): boolean => normalizeLogin(login) === normalizeLogin(user.login);
  const ofToken = ({ before, after }: Changed<Token>) => [before, after].filter((token) => token !== undefined);
  const isOwnPassword = users.every(
    ({ before, after }) => before !== undefined && after !== undefined && isOwn(after) && isPassword(before, after),
  );
  const isOwnAlone =
    users.length + tokens.length > 0 &&
    isOwnPassword &&
    tokens.flatMap(ofToken).every(isOwn) &&
    change.site === undefined &&
    !change.agrees;
  const isPasswordGiven = users.length > 0 && isOwnPassword; // the route has checked the old one
  if (!isPerson(actor) && !isPasswordGiven && !endsItself(actor, change)) throw byProgram();
  const begins = tokens.some(({ after }) => after?.session !== undefined);
  if (begins && actor.credential.kind !== 'password') throw byProgram();
  if (change.link && !R_INSIGHTS.includes(user.role))
    throw refusal('forbidden', `${actor.login} may see no reports any more.`);
  if (!isOwnAlone && !change.link && !R_SETTINGS.includes(user.role))
    throw refusal('forbidden', `${actor.login} is no Administrator any more.`);
  return [{ check: keys.user(site, normalizeLogin(user.login)), when: unchangedUser(user) }];
}

const isPassword = ({ password: _, ...before }: User, { password: __, ...after }: User): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

/** Whether a change is the end of the token that the request came with. */
function endsItself(
  { credential }: SignedIn,
  { users = [], tokens = [], site, agrees = false }: AuthorityChange,
): boolean {
  const [one, ...more] = tokens;
  const isOneToken = users.length + more.length === 0 && site === undefined && !agrees;
  return isOneToken && one?.before !== undefined && one.after === undefined && tokenId(one.before) === credential.token;
}

const byProgram = (): Failure =>
  oneFault(
    'invalid',
    ['base'],
    'A token of a program changes no users, tokens, links or settings, and agrees to no such change: sign in with login and password.',
  );
