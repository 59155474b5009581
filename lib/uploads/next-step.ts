import { keys } from '../store/keys.ts';
import type { DueStep } from './bucket.ts';
import { endTurn, hasTurn, TURN_MS, takeTurn, turnIn, type UploadTurn } from './turn.ts';
import { readUpload } from './upload.ts';
import { type WorkTools, workOn } from './work.ts';

/** The tools of the work, and a pause. */
export interface NextStep {
  readonly tools: WorkTools;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Does the next step of an import. If it is called twice for one message, only one call gets the turn. A step whose
 * process died is repeated once its turn has expired. True if another step is due.
 */
export async function doNextStep({ tools, pause }: NextStep, due: DueStep): Promise<boolean> {
  const turn = (await takeOver(tools, due)) ?? (await takeAfterDeath({ tools, pause }, due));
  if (turn === undefined) return false;
  const upload = await readUpload(tools.table, due.site, due.id);
  if (upload?.status === 'working') return workOn(tools, turn, upload.work);
  await endTurn(tools, turn); // nothing is left to do
  return false;
}

const takeOver = (tools: WorkTools, { site, id }: DueStep): Promise<UploadTurn | undefined> =>
  takeTurn(tools, { site, id, owner: tools.newId(), isHanded: true });

/** Waits until the present turn expires unless it is renewed: a live process renews it by then. */
async function takeAfterDeath({ tools, pause }: NextStep, due: DueStep): Promise<UploadTurn | undefined> {
  const held = turnIn(await tools.table.get(keys.uploadTurn(due.site)));
  const now = tools.clock();
  if (held.kept.id !== due.id) return undefined;
  if (hasTurn(held, due.id, now)) await pause(Math.min(held.expiresAt - now, TURN_MS) + 1_000);
  return takeOver(tools, due);
}
