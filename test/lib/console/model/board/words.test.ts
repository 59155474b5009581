import { textPieces } from '../../../../../lib/console/model/board/words.ts';

const links = (text: string) => textPieces(text).flatMap(({ href }) => href ?? []);

describe('a plain text', () => {
  it('is whole in its pieces, of which addresses of web pages are links', () => {
    const text = 'Ask (https://help.example/a?b=1&c=2), or\nhttp://other.example/ü. Then ring.';
    expect(
      textPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
    expect(links(text)).toEqual(['https://help.example/a?b=1&c=2', 'http://other.example/%C3%BC']);
  });

  it.each([
    ['nothing', ''],
    ['no address', 'Nothing to see'],
    ['a script', 'javascript:alert(1) data:text/html,x vbscript:x'],
    ['a script behind a blank', 'https: javascript:alert(1)'],
    ['no host', 'https:// http://?'],
    ['markup', '<a href="x">y</a><img src=x onerror=alert(1)>'],
  ])('has no link in %s', (_, text) => {
    expect(links(text)).toEqual([]);
    expect(
      textPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('ends an address where markup begins', () => {
    expect(links('https://a.example/"onmouseover="x https://b.example/<script>')).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
  });
});
