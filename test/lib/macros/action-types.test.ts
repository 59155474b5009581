import { ACTION_TYPES, findActionType, NEEDED } from '../../../lib/macros/action-types.ts';

describe('action types', () => {
  it('are the 13 of the interface', () => {
    expect([...ACTION_TYPES.keys()]).toEqual([
      'set-case-description',
      'set-case-labels',
      'append-case-labels',
      'set-case-priority',
      'set-case-status',
      'set-case-agent',
      'set-case-group',
      'append-case-article',
      'set-case-quick-reply',
      'set-case-outbound-email-subject',
      'set-case-language',
      'set-case-note',
      'set-case-custom-N',
    ]);
  });

  it.each([...ACTION_TYPES])('%s takes its own example, and never null', (_, type) => {
    expect(type.read(type.example)).toHaveProperty('value');
    expect(type.read(null)).toEqual({ code: 'invalid' });
  });

  it('need these kinds of records, each read once a request', () => {
    expect([...NEEDED].sort()).toEqual(['agent', 'article', 'custom_field', 'group']);
  });

  it('leave a name after the prefix as it is', () => {
    const fields = [
      { id: 1, name: 'n', object: 'customer' as const, deleted: false, values: [] },
      { id: 2, name: 'N', object: 'case' as const, deleted: true, values: ['old'] },
      { id: 3, name: 'N', object: 'case' as const, deleted: false, values: ['new'] },
    ];
    const site = { locales: [], members: new Map(), fields };
    expect(findActionType('set-case-custom-n')?.exists?.(site)).toBe(false);
    expect(findActionType('set-case-custom-N')?.exists?.(site)).toBe(true);
    expect(findActionType('set-case-custom-N')?.check?.('old', site)).toBe('invalid');
    expect(findActionType('set-case-custom-N')?.link?.id('new', site)).toBe(3);
    expect(findActionType('set-case-custom-')).toBeUndefined();
  });
});
