import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createAnswerReader } from '../../../../infra/local/table/engine-answer.ts';

/** An attribute as the engine shows it, and as it is to be read. */
type Shown = readonly [shown: unknown, read: unknown];

const attribute: fc.Arbitrary<Shown> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes): Shown => [{ B: Buffer.from(bytes).toString('base64') }, { B: bytes }]),
  fc.constantFrom('"B":"', '{"B":"#0"}', '"B', 'é', '漢字', '\\', '#0').map(
    (text): Shown => [
      { S: text, B1: text },
      { S: text, B1: text },
    ],
  ),
  fc.string({ unit: 'grapheme' }).map((text): Shown => [{ S: text }, { S: text }]),
);

describe('an answer of the engine', () => {
  it('is the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        fc.array(attribute, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (attributes, sizes) => {
          const answer = Buffer.from(JSON.stringify({ Items: attributes.map(([shown]) => shown) }));
          const reader = createAnswerReader();
          for (let at = 0, turn = 0; at < answer.length; turn += 1) {
            const size = sizes[turn % sizes.length]!;
            reader.take(answer.subarray(at, at + size));
            at += size;
          }
          expect(reader.value()).toEqual({ Items: attributes.map(([, read]) => read) });
        },
      ),
    );
  });

  it('has bytes that no later answer writes over', () => {
    const read = (byte: number): Uint8Array => {
      const reader = createAnswerReader();
      reader.take(Buffer.from(JSON.stringify({ B: Buffer.alloc(200_000, byte).toString('base64') })));
      return (reader.value() as { B: Uint8Array }).B;
    };
    const [first, second] = [read(1), read(2)];
    expect([first.length, first.every((byte) => byte === 1)]).toEqual([200_000, true]);
    expect(second.every((byte) => byte === 2)).toBe(true);
  });

  it('is told as text where it is no JSON', () => {
    const reader = createAnswerReader();
    for (const piece of ['<html>"', 'B":', 'no"B']) reader.take(Buffer.from(piece));
    expect(() => reader.value()).toThrow(SyntaxError);
    expect(reader.text()).toBe('<html>"B":no"B');
  });
});
