import { keys } from '../store/keys.ts';
import type { Due } from './bucket.ts';
import { endTurn, isTaken, TURN_MS, takeTurn, turnIn, type UploadTurn } from './turn.ts';
import { readUpload } from './upload.ts';
import { type Workshop, workOn } from './work.ts';

/** What the next step needs beside the workshop. */
export interface NextStep {
  readonly shop: Workshop;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * Does the next step of an import, as often as it is told: a step is done by one alone, and one that died is taken up once its
 * turn has run out. True where another one is due.
 */
export async function doNextStep({ shop, pause }: NextStep, due: Due): Promise<boolean> {
  const turn = (await takeOver(shop, due)) ?? (await takeAfterDeath({ shop, pause }, due));
  if (turn === undefined) return false;
  const upload = await readUpload(shop.table, due.site, due.id);
  if (upload?.status === 'working') return workOn(shop, turn, upload.work);
  await endTurn(shop, turn); // it is done
  return false;
}

const takeOver = (shop: Workshop, { site, id }: Due): Promise<UploadTurn | undefined> =>
  takeTurn(shop, { site, id, owner: shop.newId(), isHanded: true });

/** Waits until the turn that somebody has would run out: who is alive has renewed it by then. */
async function takeAfterDeath({ shop, pause }: NextStep, due: Due): Promise<UploadTurn | undefined> {
  const held = turnIn(await shop.table.get(keys.uploadTurn(due.site)));
  const now = shop.clock();
  if (held === undefined || held.id !== due.id) return undefined;
  if (isTaken(held, now)) await pause(Math.min(held.until - now, TURN_MS) + 1_000);
  return takeOver(shop, due);
}
