import { isIPv6 } from 'node:net';

const GROUPS = 8; // of an IPv6 address, 16 bits each
const NETWORK = 4; // groups; providers give each customer a /64, with all its addresses

/** The network that stands for a client's address: the /64 of an IPv6 address, else the address itself. */
export function networkOf(address: string): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0');
  const network = [...first, ...(tail === undefined ? [] : zeros), ...last].slice(0, NETWORK);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** The groups of a part of an address; one that ends as IPv4 has two for that end. */
const groupsOf = (part: string): string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
