import { wantedLocale } from '../../../lib/http/language.ts';

const wanted = (header: string | undefined, locales = ['en_us', 'de', 'pt_br', 'pt']) => {
  const found = wantedLocale(header, locales);
  return typeof found === 'string' ? found : found.locale;
};

describe('wantedLocale', () => {
  it('filters nothing without a header, for an empty one and for a star', () => {
    for (const header of [undefined, '', ' ', '*', '*;q=0.1', '???', ', ,']) expect(wanted(header)).toBe('any');
  });

  it('finds the exact locale in any spelling', () => {
    for (const header of ['en-US', 'en_us', 'EN_US', ' en-us ; q=1.000 ']) expect(wanted(header)).toBe('en_us');
  });

  it('falls back to the language, both ways', () => {
    expect(wanted('en')).toBe('en_us');
    expect(wanted('de-AT')).toBe('de');
    expect(wanted('pt-PT')).toBe('pt');
    expect(wanted('pt', ['pt_br'])).toBe('pt_br');
    expect(wanted('e')).toBe('any');
    expect(wanted('ene')).toBe('none');
  });

  it('goes by quality, and by place where that is equal', () => {
    expect(wanted('de;q=0.5, en;q=0.9')).toBe('en_us');
    expect(wanted('de, en')).toBe('de');
    expect(wanted('fr, ja;q=0.9, de;q=0.1')).toBe('de');
  });

  it('matches nothing where no range fits, unless a star ends the list', () => {
    expect(wanted('fr')).toBe('none');
    expect(wanted('fr, ja;q=0.3')).toBe('none');
    expect(wanted('fr, *;q=0.1')).toBe('any');
    expect(wanted('de, *')).toBe('de');
  });

  it('excludes what has quality 0', () => {
    expect(wanted('de;q=0')).toBe('none');
    expect(wanted('pt-br;q=0, pt', ['pt_br', 'pt_pt'])).toBe('pt_pt');
    expect(wanted('pt;q=0, pt-br')).toBe('pt_br');
    expect(wanted('en;q=0, en-gb;q=0.5')).toBe('none');
    expect(wanted('*;q=0')).toBe('none');
    expect(wanted('de, *;q=0')).toBe('de');
  });
});
