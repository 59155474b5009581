import { chatwoot } from './chatwoot.ts';
import type { System, Vendor } from './desk.ts';
import { freshdesk } from './freshdesk.ts';
import type { OwnNetwork } from './hosts.ts';
import { zammad } from './zammad.ts';
import { zendesk } from './zendesk.ts';

/** The systems that can be connected, in the order of the console's cards. */
export const VENDORS = { zendesk, freshdesk, chatwoot, zammad } as const satisfies Readonly<
  Partial<Record<System, Vendor>>
>;

const all: Readonly<Partial<Record<System, Vendor>>> = VENDORS;

/** The vendor of a stored connection. */
export function vendorOf(system: System): Vendor {
  const vendor = all[system];
  if (vendor === undefined) throw new Error(`${system} cannot be connected`);
  return vendor;
}

/** The addresses of the own network that a vendor's help desks may have: a maker's own hosts are public. */
export const ownNetworkOf = ({ hosts }: Vendor, own: OwnNetwork): OwnNetwork =>
  hosts.named === undefined ? own : { ...own, private: false };
