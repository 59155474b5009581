import { describe, expect, it } from 'vitest';
import { attachmentsOf } from '../../../lib/deliver/mail/compose.ts';
import type { MailContent } from '../../../lib/deliver/mail/content.ts';
import { htmlOf } from '../../../lib/deliver/mail/html.ts';
import { plainOf } from '../../../lib/deliver/mail/plain.ts';

describe('a mail', () => {
  it('has every table attached that fits, also after one that is too large', () => {
    const tables = [
      { title: 'By channel', csv: 'small' },
      { title: 'By custom field', csv: 'x'.repeat(3_000_000) },
      { title: 'By label', csv: 'small, too' },
    ];
    expect(attachmentsOf(tables).map(({ name }) => name)).toEqual(['1-by-channel.csv', '3-by-label.csv']);
  });

  it('counts the rows that it does not show', () => {
    const content = (left: number): MailContent => ({
      ...{ title: 'Cases', lead: [], link: { href: 'https://acme.example', label: 'Open' }, why: '' },
      sections: [{ kind: 'table', title: 'Cases', range: '', columns: [], rows: [], total: undefined, left }],
    });
    for (const [left, said] of [
      [1, '1 more row'],
      [2, '2 more rows'],
    ] as const) {
      expect(plainOf(content(left))).toContain(`… and ${said}\n`);
      expect(htmlOf(content(left))).toContain(`And ${said}, in`);
    }
  });
});
