import { setFlagsFromString } from 'node:v8';

const MEASURED = '11.3.'; // the V8 of Node 20; newer ones do not know the first flag, and have a compiler between

/**
 * Leaves the cores to reports: what V8 does beside the thread that serves takes a sixth of the processor time of a first report,
 * while the engine reads for it. So functions are optimized a quarter as eagerly, of which most have run their last by then, and
 * young garbage is collected by the thread that made it. First reports of two cores take 5 to 15 % less, further ones the same.
 */
export function leaveCoresToReports(v8 = process.versions.v8): readonly string[] {
  if (!v8.startsWith(MEASURED)) return [];
  const flags = [
    '--interrupt-budget=264000', // bytes of bytecode that run before a function is looked at; default: 67,584
    '--no-parallel-scavenge',
  ];
  for (const flag of flags) setFlagsFromString(flag);
  return flags;
}
