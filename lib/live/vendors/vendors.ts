import type { System, Vendor } from '../desk.ts';
import type { OwnNetwork } from '../hosts.ts';
import { chatwoot } from './chatwoot.ts';
import { freshdesk } from './freshdesk.ts';
import { intercom } from './intercom.ts';
import { zammad } from './zammad.ts';
import { zendesk } from './zendesk.ts';

const VENDORS: Readonly<Record<System, Vendor>> = { zendesk, intercom, freshdesk, chatwoot, zammad };

/** The vendor of a system. */
export const vendorOf = (system: System): Vendor => VENDORS[system];

/** The addresses of the own network that a vendor's help desks may have: a maker's own hosts are public. */
export const ownNetworkOf = ({ hosts }: Vendor, own: OwnNetwork): OwnNetwork =>
  hosts.named === undefined ? own : { ...own, private: false };
