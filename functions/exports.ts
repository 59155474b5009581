import { type DueExport, exportGroup } from '../lib/warehouse/due.ts';
import { sendMessages } from './queues.ts';
import { EXPORT_URL } from './wiring.ts';

/** Sends messages to the queue of exports, if the deployment has a warehouse. */
export async function sendExports(all: readonly DueExport[]): Promise<void> {
  if (EXPORT_URL === undefined) return;
  await sendMessages(
    EXPORT_URL,
    all.map((due) => ({ group: exportGroup(due), body: due })),
  );
}
