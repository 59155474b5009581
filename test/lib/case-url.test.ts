import * as fc from 'fast-check';
import { caseAddress, caseUrlFault } from '../../lib/case-url.ts';

const TEMPLATES = [
  'https://help.example/tickets/{case}',
  'http://help.example:8080/?id={case}&view=all',
  'https://help.example/#ticket/zoom/{case}',
  'https://help.example/{case}/of/{case}',
];

describe('the address of a case', () => {
  it.each([
    [12, 'https://help.example/tickets/12'],
    ['INC 7', 'https://help.example/tickets/INC%207'],
    ['a/b?c#d&e', 'https://help.example/tickets/a%2Fb%3Fc%23d%26e'],
    ['$&$1{case}', 'https://help.example/tickets/%24%26%241%7Bcase%7D'],
    ['é\uD800', 'https://help.example/tickets/%C3%A9%EF%BF%BD'],
  ])('has the case %j encoded', (id, address) => {
    expect(caseAddress('https://help.example/tickets/{case}', id)).toBe(address);
  });

  it('leads to the host of its template, whatever the case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), fc.string({ unit: 'binary' }), (template, id) => {
        expect(caseUrlFault(template)).toBeUndefined();
        const { origin, protocol } = new URL(caseAddress(template, id));
        expect([origin, protocol]).toEqual([new URL(template).origin, new URL(template).protocol]);
      }),
    );
  });

  it.each(['javascript:alert({case})', 'JAVASCRIPT://x/{case}', 'data:,{case}', 'vbscript:{case}', 'file:///{case}'])(
    'is none with the scheme of %s',
    (template) => {
      expect(caseUrlFault(template)).toMatch(/no address of a case/);
    },
  );
});
