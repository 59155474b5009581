import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createHttpAnswer } from '../../../../infra/local/table/http-answer.ts';

const PIECES = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });

/** Takes a text cut into pieces of these sizes, over and over; gives the body and after how many bytes it was complete. */
function taken(text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text);
  const bodies: Buffer[] = [];
  const answer = createHttpAnswer((piece) => bodies.push(Buffer.from(piece)));
  let complete: number | undefined;
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const end = Math.min(bytes.length, at + sizes[turn % sizes.length]!);
    if (answer.take(bytes.subarray(at, end))) complete ??= end;
    at = end;
  }
  return { answer, body: Buffer.concat(bodies).toString(), complete };
}

describe('an answer by HTTP', () => {
  it('is the same in whatever pieces it comes, and complete with the last', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 200, max: 599 }),
        PIECES,
        (text, status, sizes) => {
          const head = `HTTP/1.1 ${status} Any\r\nserver: é\r\nContent-Length: ${Buffer.byteLength(text)}\r\ndate: now\r\n\r\n`;
          const { answer, body, complete } = taken(head + text, sizes);
          expect([answer.status(), body, answer.isLast()]).toEqual([status, text, false]);
          expect(complete).toBe(Buffer.byteLength(head + text));
        },
      ),
    );
  });

  it('may be the last of its connection', () => {
    const { answer } = taken('HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 2\r\n\r\n{}', [7]);
    expect(answer.isLast()).toBe(true);
  });

  it.each([
    ['is of another protocol', 'SSH-2.0-server\r\ncontent-length: 1\r\n\r\n1', /known length/],
    ['does not say its length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', /known length/],
    ['says no number', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', /known length/],
    ['goes on past its length', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{}', /more than the length/],
    ['has a head without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`, /without end/],
  ])('is refused as a fault of the network where it %s', (_, text, message) => {
    const refused = expect(() => taken(text, [1000]));
    refused.toThrow(message);
    refused.toThrow(expect.objectContaining({ name: 'NetworkingError' }));
  });
});
