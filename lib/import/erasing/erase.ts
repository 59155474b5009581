import { createHash } from 'node:crypto';
import * as z from 'zod';
import { planAuthority } from '../../access/authority.ts';
import { type Forgotten, forgetInAudit } from '../../access/forget-in-audit.ts';
import { memberId } from '../../access/member-id.ts';
import { deleteTokensOf } from '../../access/tokens.ts';
import { listUsers, normalizeLogin, readUser, removed, type User } from '../../access/users.ts';
import { type Erasures, valueName } from '../../history/cases/erasing.ts';
import { type ErasureScope, eraseHistory, findErased } from '../../history/erase.ts';
import { aliasOf, type ErasedName, readErasures, recordErased } from '../../history/erasures.ts';
import { deleteDigests } from '../../history/sources.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import { changeItems, openCollection, type SiteTable } from '../../store/site-table.ts';
import type { Item } from '../../store/table.ts';
import { type ImportContext, targetOf } from '../import-rows.ts';
import { wholeWords } from './named.ts';
import { useStandIns } from './stand-ins.ts';

/** Who or what is to be erased. */
export type Erasing =
  | { readonly kind: 'agent' | 'company'; readonly id: number }
  | { readonly kind: 'case'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }; // its login

/** A member that loses its name and, if its id may reveal the name, gets a new id. */
interface Replaced {
  readonly kind: 'agent' | 'company';
  readonly id: number;
  readonly standIn: number;
}

/** The plan of an erasure. */
export interface ErasePlan {
  readonly names: readonly ErasedName[]; // to be recorded as erased
  readonly members: readonly Replaced[];
  readonly logins: readonly string[]; // logins of existing users, as stored
  readonly texts: readonly string[]; // names and logins, by which other places are searched
  readonly found: ErasureScope;
}

/** The name of an erased member. */
const ERASED = 'erased';

const NAMED_FROM = 2 ** 32; // nearly all ids made from names are above it, so all ids above it are replaced
const STAND_IN_FROM = 2 ** 48; // above all ids made from names
const STAND_IN_BITS = 32;

const memberItem = z.object({
  name: z.string().optional(),
  public_name: z.string().nullish(),
  login: z.string().optional(),
});

/** Plans an erasure; undefined if the site has no data of it. Writes nothing, except that it folds the tail. */
export async function planErasure(context: ImportContext, erasing: Erasing): Promise<ErasePlan | undefined> {
  const before = await readErasures(context);
  const found = await membersAndLogins(context, erasing, before);
  const names: ErasedName[] = [
    ...(erasing.kind === 'case' ? [{ kind: 'case', name: erasing.id } as const] : []),
    ...found.members.flatMap(({ kind, id, standIn }): ErasedName[] =>
      [...new Set([id, standIn])].map((each) => ({ kind, name: String(each), standIn })),
    ),
    ...found.logins.map((name) => ({ kind: 'login', name }) as const),
  ];
  const inHistory = await findErased(context, planned(names));
  const users = await Promise.all(found.logins.map((login) => readUser(context.table, context.site.name, login)));
  const isKnown =
    inHistory.events > 0 || found.isKnown || users.some((user) => user !== undefined) || wasErased(names, before);
  const logins = found.logins.filter((_, index) => users[index] !== undefined);
  const texts = [...found.texts, ...found.logins];
  return isKnown ? { names, members: found.members, logins, texts, found: inHistory } : undefined;
}

const wasErased = (names: readonly ErasedName[], before: Erasures | undefined): boolean =>
  names.some(({ kind, name }) =>
    kind === 'agent' || kind === 'company'
      ? before?.standIn(kind, Number(name)) !== undefined
      : before?.isErased(kind, name),
  );

/** Returns planned erasures in the form of stored ones. */
function planned(names: readonly ErasedName[]): Erasures {
  const known = new Map(names.map((one) => [`${one.kind} ${one.name}`, one]));
  return {
    isErased: (kind, name) => known.has(`${kind} ${name}`),
    standIn: (kind, id) => known.get(`${kind} ${id}`)?.standIn,
  };
}

async function membersAndLogins(context: ImportContext, erasing: Erasing, before: Erasures | undefined) {
  if (erasing.kind === 'case') return { members: [], logins: [], texts: [], isKnown: false };
  const site = context.site.name;
  const users = await listUsers(context.table, site);
  const user = erasing.kind === 'user' ? users.find(({ login }) => isSame(login, erasing.id)) : undefined;
  const kind = erasing.kind === 'company' ? 'company' : 'agent';
  const { items } = await openCollection(context, keys.reference(site, kind));
  const nameOf = (id: number) => memberItem.parse(items.get(members.item(id)) ?? {});
  const [agent, whose] =
    erasing.kind === 'user'
      ? [user?.agent, erasing.id]
      : [erasing.id, kind === 'agent' ? nameOf(erasing.id).login : undefined];
  const ids = agentsOf(items, agent, whose);
  const logins = new Set<string>(erasing.kind === 'user' ? [normalizeLogin(erasing.id)] : []);
  const found = ids.map((id) => {
    const { name, public_name, login } = nameOf(id);
    if (kind === 'agent') {
      for (const one of users) if (one.agent === id) logins.add(normalizeLogin(one.login));
      if (login !== undefined) logins.add(normalizeLogin(login));
    }
    const standIn = before?.standIn(kind, id) ?? standInFor(kind, id, name, context.newId());
    const texts = [name, public_name].flatMap((text) => (text == null || text === ERASED ? [] : [text]));
    return { member: { kind, id, standIn } as const, texts, isKnown: items.has(members.item(id)) };
  });
  const isKnown = found.some((one) => one.isKnown);
  const texts = found.flatMap((one) => one.texts);
  return { members: found.map(({ member }) => member), logins: [...logins], texts, isKnown };
}

/** A member, and of a login also the agents with it and the one made for it. */
function agentsOf(items: Collection['items'], member: number | undefined, login: string | undefined): number[] {
  const first = member === undefined ? [] : [member];
  if (login === undefined) return first;
  const made = memberId('agent', normalizeLogin(login));
  const named = [...items.values()].flatMap(({ id, login: own }) =>
    typeof id === 'number' && (id === made || (typeof own === 'string' && isSame(own, login))) ? [id] : [],
  );
  return [...new Set([...first, ...named])];
}

const isSame = (a: string, b: string): boolean => normalizeLogin(a) === normalizeLogin(b);

/**
 * Returns a member's own id, or a random one if its id may have been made from its name, which could then be guessed.
 */
function standInFor(kind: 'agent' | 'company', id: number, name: string | undefined, chance: string): number {
  if (id < NAMED_FROM && (name === undefined || id !== memberId(kind, name))) return id;
  return (
    STAND_IN_FROM +
    Number.parseInt(
      createHash('sha256')
        .update(chance)
        .digest('hex')
        .slice(0, STAND_IN_BITS / 4),
      16,
    )
  );
}

/**
 * Carries out a plan. It first shuts out who is erased, then records what is erased, so that no import brings it back
 * meanwhile. `forget` erases what other rooms store. After a crash it may be run again and goes on. Returns how many cases
 * changed. Throws a `Failure` for the last Administrator; then nothing is changed.
 */
export async function erase(
  context: ImportContext,
  plan: ErasePlan,
  forget: (what: Forgotten) => Promise<void> = async () => undefined,
): Promise<number> {
  const { table, site } = context;
  const values = plan.found.values.map((name) => ({ kind: 'value', name }) as const);
  await changeUsers(context, plan.logins, removed); // first: the last Administrator is refused before anything is changed
  for (const login of plan.logins) await deleteTokensOf(table, site.name, { login });
  const erasures = await recordErased(context, [...plan.names, ...values]);
  // Before the records: an erasure that was cut short finds the names by them again.
  const what = { aliases: await aliasesOf(context, plan), words: wholeWords(plan.texts) };
  await forgetInAudit(table, site.name, what);
  await forget(what);
  await useStandIns(targetOf(context), plan.members);
  await deleteDigests(context); // because the digests are of rows that may contain erased data
  const agents = plan.members.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const changed = await eraseHistory(context, erasures, agents);
  for (const member of plan.members) await renameMember(targetOf(context), member);
  await dropValues(targetOf(context), erasures);
  await forgetAuthors(targetOf(context), new Set(agents));
  // Last: an erasure that was cut short finds agent and logins by the users again.
  await changeUsers(context, plan.logins, () => undefined);
  return changed;
}

async function aliasesOf(context: ImportContext, { names }: ErasePlan): Promise<ReadonlyMap<string, string>> {
  const logins = names.flatMap(({ kind, name }) => (kind === 'login' ? [name] : []));
  return new Map(await Promise.all(logins.map(async (login) => [login, await aliasOf(context, login)] as const)));
}

/** Changes the users with these logins, for the operator; the entry of the erasure in the audit stands for them. */
function changeUsers(
  { table, site, clock }: ImportContext,
  logins: readonly string[],
  change: (user: User) => User | undefined,
): Promise<void> {
  return replan(async () => {
    const stored = await Promise.all(logins.map((login) => readUser(table, site.name, login)));
    const users = stored.flatMap((user) => (user === undefined ? [] : [{ before: user, after: change(user) }]));
    const writes = await planAuthority({ table, site, now: clock(), actor: 'operator' }, { users });
    if (writes.length > 0) await table.transact(writes);
  });
}

/** Replaces a member's record by one that only says that the member was erased. */
function renameMember(target: SiteTable, { kind, id, standIn }: Replaced): Promise<void> {
  return replan(async () => {
    const partition = keys.reference(target.site, kind);
    const collection = await openCollection(target, partition);
    const item = { pk: partition.pk, sk: members.item(standIn), id: standIn, name: ERASED, deleted: true };
    const put: Item[] = [{ ...item, updated_at: target.now }];
    const remove = id === standIn ? [] : [members.item(id)];
    await target.collections.commit(target.table, [{ collection, put, remove }]);
  });
}

const ARTICLES_AT_ONCE = 90; // articles in one transaction

/** Empties who wrote articles where that was an erased agent. */
function forgetAuthors(target: SiteTable, agents: ReadonlySet<number>): Promise<void> {
  const isErased = (id: unknown): boolean => typeof id === 'number' && agents.has(id);
  return changeItems(target, keys.reference(target.site, 'article'), ARTICLES_AT_ONCE, (item) => {
    const { created_by, updated_by } = item;
    if (!isErased(created_by) && !isErased(updated_by)) return item;
    return {
      ...item,
      ...(isErased(created_by) && { created_by: null }),
      ...(isErased(updated_by) && { updated_by: null }),
    };
  });
}

const fieldItem = z.object({ id: z.number(), values: z.array(z.string()).nullish() });
const FIELDS_AT_ONCE = 20; // few, because each value of a field takes up to 4 KB

/** Removes erased values from the lists of custom fields. */
const dropValues = (target: SiteTable, erasures: Erasures): Promise<void> =>
  changeItems(target, keys.reference(target.site, 'custom_field'), FIELDS_AT_ONCE, (item) => {
    const { id, values } = fieldItem.parse(item);
    const kept = values?.filter((value) => !erasures.isErased('value', valueName(id, value)));
    return kept === undefined || kept.length === values?.length ? item : { ...item, values: kept };
  });
