import fc from 'fast-check';
import { findJsonFault, lineOf } from '../../../lib/http/json-fault.ts';
import { tries } from '../../support/generators/depth.ts';

describe('what is no JSON', () => {
  it.each([
    ['', 0, 'value'],
    ['{"a": x}', 6, 'value'],
    ['{"a" 1}', 5, ':'],
    ['{a: 1}', 1, 'key or }'],
    ['[1 2]', 3, ', or ]'],
    ['[1,]', 3, 'value'],
    ['{"a": "open', 6, 'value'],
    ['{} {}', 3, 'the end'],
    ['[[1}', 3, ', or ]'],
  ])('%j breaks at %d', (text, at, expected) => {
    expect(findJsonFault(text)).toEqual({ at, expected });
  });

  it('is what the parser refuses, and nothing else', () => {
    const almost = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ':', '}', '[', '"', '0', 'e', ' ', '\\'))
      .map(([text, at, sign]) => text.slice(0, at % (text.length + 1)) + sign + text.slice(at % (text.length + 1)));
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(almost, (text) => (findJsonFault(text) === undefined) === parses(text)),
      { numRuns: tries(2000, 1 / 4) },
    );
  });

  it('stands in a line and column', () => {
    expect(lineOf('{\n  "a": x', 9)).toEqual({ line: 2, column: 8 });
  });
});
