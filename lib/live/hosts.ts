import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Which addresses of its own network the service may call (docs/live.md); none in the cloud. */
export interface OwnNetwork {
  readonly loopback: boolean;
  readonly private: boolean;
}

/** The hosts of a system: those of its maker, or any with public addresses. */
export interface SystemHosts {
  readonly named?: RegExp; // absent: any host
  readonly url?: string; // where the system is if no address is given
}

const list = (subnets: readonly string[]): BlockList => {
  const blocked = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits = ''] = subnet.split('/');
    blocked.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return blocked;
};

const LOOPBACK = list(['127.0.0.0/8', '::1/128']);
const PRIVATE = list(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);
/** Never called: link-local and metadata, unspecified, shared, benchmarks, multicast, reserved, and addresses that stand for others. */
const NEVER = list([
  ...['0.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/128', '64:ff9b::/32', '2001::/32', '2002::/16', 'fd00:ec2::/32', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]);

/** The IPv4 address within a mapped or compatible IPv6 one; the address itself if it is none. */
function plainAddress(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  const { hostname } = URL.canParse(`http://[${bare}]`) ? new URL(`http://[${bare}]`) : { hostname: '' };
  const [, high, low] = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return bare;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** Whether an address may be connected to. */
export function isAllowedAddress(address: string, own: OwnNetwork): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (NEVER.check(plain, family)) return false;
  if (LOOPBACK.check(plain, family)) return own.loopback;
  return own.private || !PRIVATE.check(plain, family);
}

const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''));

function isLoopbackAddress(host: string): boolean {
  const plain = plainAddress(host);
  return isIP(plain) !== 0 && LOOPBACK.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
}

/** Why an address cannot be a system's: its form is wrong, or its host is not allowed. */
export type UrlFault = 'invalid' | 'forbidden';

/** The address of a help desk, without a slash at its end; else what is wrong with it. */
export function deskUrl(text: string, { named }: SystemHosts, own: OwnNetwork): string | { readonly fault: UrlFault } {
  if (!URL.canParse(text)) return { fault: 'invalid' };
  const url = new URL(text);
  const { protocol, hostname, port, pathname } = url;
  const isHttp = protocol === 'http:';
  const isBare = url.username === '' && url.password === '' && !/[?#]/.test(text);
  if (!isBare || (protocol !== 'https:' && !isHttp) || hostname === '') return { fault: 'invalid' };
  const plain = `${url.origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  if (isLoopbackHost(hostname)) return own.loopback ? plain : { fault: 'forbidden' };
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, own)) return { fault: 'forbidden' };
  if (named !== undefined) {
    if (!named.test(hostname) || port !== '' || isHttp || pathname !== '/') return { fault: 'forbidden' };
    return plain;
  }
  return isHttp ? { fault: 'invalid' } : plain;
}

/** The host's addresses were looked up, and none may be called. */
export class AddressForbidden extends Error {
  constructor(host: string) {
    super(`${host} has no address that may be called`);
    this.name = 'AddressForbidden';
  }
}

/** Looks up a host for each new connection and gives the allowed addresses alone, so that nobody can change them after the check. */
export const judgedLookup =
  (own: OwnNetwork, resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, own));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressForbidden(hostname), '', 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
