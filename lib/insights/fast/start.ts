import type { Plan } from '../plan.ts';
import { type Scan, type ScanMemory, startScan } from '../scan/scan.ts';
import { type Buffers, createBuffers } from '../scan/view.ts';
import { notedAgents } from './by-agent.ts';
import { startByHours } from './by-hours.ts';

/** Starts a scan by the fastest way that fits the plan. It gives what `startScan` gives. */
export function startFastScan(plan: Plan, memory?: ScanMemory, buffers: Buffers = createBuffers()): Scan {
  const options = { memory, agentSearch: notedAgents };
  return startByHours(plan, options, buffers) ?? startScan(plan, options, buffers);
}
