import fc from 'fast-check';
import { MAX_LINE } from '../../../../lib/import/formats/lines.ts';
import { readNdjson } from '../../../../lib/import/formats/ndjson.ts';
import type { Row } from '../../../../lib/import/formats/row.ts';

const NOTE = '{"type":"note","id":"ä1","at":"2026-03-01T09:00:00Z","case":1001}';

async function read(...chunks: (string | Uint8Array)[]): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readNdjson(bytesOf(chunks))) rows.push(...batch);
  return rows;
}

async function* bytesOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

const outcome = (rows: readonly Row[]) =>
  rows.map((row) => ['reason' in row ? row.reason : row.records.length, row.line]);

describe('readNdjson', () => {
  it('numbers lines from 1 and skips blank ones', async () => {
    expect(outcome(await read(`${NOTE}\n\n  \n${NOTE}\nnonsense\n`))).toEqual([
      [1, 1],
      [1, 4],
      ['the line is not JSON', 5],
    ]);
  });

  it('takes CRLF, a byte order mark and a last line without end', async () => {
    expect(outcome(await read('\ufeff', `${NOTE}\r\n${NOTE}`))).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('gives a wrong line back as it came', async () => {
    const [row] = await read('{"type":"no\u00e4te"}\n');
    expect(row).toEqual({ line: 1, raw: '{"type":"no\u00e4te"}', reason: 'type: "no\u00e4te" is not a record type' });
  });

  it('refuses a line that is not UTF-8 with its bytes, and reads the others', async () => {
    const wrong = Uint8Array.from([0x7b, 0xff, 0x7d]);
    const rows = await read(`${NOTE}\n`, wrong, `\r\n${NOTE}\n`);
    expect(outcome(rows)).toEqual([
      [1, 1],
      ['the line is not UTF-8', 2],
      [1, 3],
    ]);
    expect(Buffer.from(rows[1]?.raw ?? '')).toEqual(Buffer.from(wrong));
  });

  it('refuses a line that is too long without keeping it whole, and reads on', async () => {
    const part = Buffer.alloc(MAX_LINE / 2, 0x20);
    const rows = await read(`${NOTE}\n`, part, part, part, `\n${NOTE}\n`, part, part, part);
    const reason = `the line is longer than ${MAX_LINE} bytes; only its beginning is kept`;
    expect(outcome(rows)).toEqual([
      [1, 1],
      [reason, 2],
      [1, 3],
      [reason, 4],
    ]);
    expect(rows[1]?.raw?.length).toBe(MAX_LINE + 1);
  });

  it('says what to do with UTF-16', async () => {
    await expect(read(Buffer.from(`\ufeff${NOTE}`, 'utf16le'))).rejects.toThrow(
      'The file is encoded as UTF-16: save it as UTF-8 and import it again.',
    );
  });

  it('gives nothing for nothing', async () => {
    expect(await read()).toEqual([]);
    expect(await read('\n\n')).toEqual([]);
  });

  it('reads the same whatever way the bytes are cut', async () => {
    const text = Buffer.from(`\ufeff${NOTE}\r\n\n${NOTE}\nx\n${NOTE}`);
    const whole = outcome(await read(text));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, index) => text.subarray(places[index], end));
        expect(outcome(await read(...parts))).toEqual(whole);
      }),
    );
  });
});
