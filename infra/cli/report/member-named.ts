import { closest } from '../../../lib/fault-details.ts';
import type { Member } from '../../../lib/insights/reference.ts';
import { Fault } from '../../fault.ts';
import type { SiteMember } from './site-members.ts';

const MOST = 8; // candidates that an error lists

/** An id in a request: an integer, or a custom field's value by its hash. */
const ID = /^(0|-?[1-9]\d*)(:[0-9a-f]{16})?$/;

/**
 * Finds a member by its id or name, first exactly, then without case. Throws a `Fault` if no member or several match;
 * `place` says where the name was given. A well-formed id is returned without a check.
 */
export function memberNamed(members: readonly SiteMember[], text: string, place: string): Member {
  const id = members.find((member) => String(member.id) === text)?.id;
  if (id !== undefined) return id;
  if (ID.test(text)) return text.includes(':') ? text : Number(text);
  const exact = members.filter((member) => namesOf(member).includes(text));
  const folded = text.toLowerCase();
  const alike = members.filter((member) => namesOf(member).some((name) => name.toLowerCase() === folded));
  const [member, other] = exact.length > 0 ? exact : alike;
  if (member === undefined) throw new Fault(`${place}: ${unknown(members, text)}`, 2);
  if (other === undefined) return member.id;
  const all = exact.length > 0 ? exact : alike;
  throw new Fault(`${place}: several are called ${text}: ${listed(all)}. Use the id instead.`, 2);
}

/** Whether a member has this name, without case. */
export const hasMemberName = (members: readonly SiteMember[], text: string): boolean =>
  members.some((member) => namesOf(member).some((name) => name.toLowerCase() === text.toLowerCase()));

/** Members whose name contains a text, without case, or whose id is the text. */
export function membersLike(members: readonly SiteMember[], text: string): readonly SiteMember[] {
  const folded = text.toLowerCase();
  return members.filter(({ id, name }) => name.toLowerCase().includes(folded) || String(id) === text);
}

/** A member's names; a value of a custom field can also be named without its field. */
function namesOf({ id, name }: SiteMember): string[] {
  return typeof id === 'string' && id.includes(':') ? [name, name.slice(name.indexOf(': ') + 2)] : [name];
}

function unknown(members: readonly SiteMember[], text: string): string {
  const like = membersLike(members, text);
  const near = closest(
    text,
    members.flatMap((member) => namesOf(member)),
  );
  const candidates = like.length > 0 ? like : members.filter((member) => namesOf(member).includes(near ?? ''));
  if (candidates.length > 0) return `no member is called ${text}. Did you mean ${listed(candidates)}?`;
  return members.length === 0
    ? `no member is called ${text}: the site has no such members yet.`
    : `no member is called ${text}. There are ${listed(members)}.`;
}

function listed(members: readonly SiteMember[]): string {
  const some = members.slice(0, MOST).map(({ id, name }) => (String(id) === name ? name : `${name} (${id})`));
  return `${some.join(', ')}${members.length > MOST ? ` and ${members.length - MOST} more` : ''}`;
}
