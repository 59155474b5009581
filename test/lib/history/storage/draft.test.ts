import { setTimeout as wait } from 'node:timers/promises';
import { openDraft } from '../../../../lib/history/storage/draft.ts';
import type { Table } from '../../../../lib/store/table.ts';
import { freshHistory } from '../../../support/generators/history.ts';
import { freshTable } from '../../../support/service/table.ts';

const table = await freshTable();

/** A table that refuses the first batch of writes a moment after it was given. */
function refusesFirstBatch(): Table {
  let batches = 0;
  return {
    ...table,
    async batchWrite(writes) {
      batches += 1;
      if (batches > 1) return table.batchWrite(writes);
      await wait(1);
      throw new Error('refused');
    },
  };
}

/** A draft with more blobs than a batch holds; the first batch has failed. */
async function draftAfterFailure() {
  const draft = openDraft({ ...freshHistory(table), table: refusesFirstBatch() });
  for (let blob = 0; blob < 26; blob += 1) await draft.add('leaf', new Uint8Array(10));
  await wait(20);
  return draft;
}

describe('a draft of which a batch could not be written', () => {
  it('says so when it is to be committed, even if nobody waited for that batch', async () => {
    const draft = await draftAfterFailure();
    await expect(draft.written()).rejects.toThrow('refused');
  });

  it('takes no further batch', async () => {
    const draft = await draftAfterFailure();
    const adding = async (): Promise<void> => {
      for (let blob = 0; blob < 50; blob += 1) await draft.add('leaf', new Uint8Array(10));
    };
    await expect(adding()).rejects.toThrow('refused');
    await draft.abandon();
  });
});
