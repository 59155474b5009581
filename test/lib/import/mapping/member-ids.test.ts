import fc from 'fast-check';
import { memberId } from '../../../../lib/access/member-id.ts';
import { newMembers } from '../../../../lib/import/mapping/member-ids.ts';

describe('members', () => {
  it('have the same id in every import, an integer from 1 to 2^48 - 1, another one for each kind', () => {
    expect(memberId('agent', 'Resolver 17')).toBe(64_008_662_494_889);
    expect(memberId('group', 'Resolver 17')).not.toBe(memberId('agent', 'Resolver 17'));
    fc.assert(
      fc.property(fc.string(), (name) => {
        const id = memberId('label', name);
        expect(id >= 1 && id < 2 ** 48 && Number.isInteger(id)).toBe(true);
      }),
    );
  });

  it('bring their reference record once, dated so that any other record wins', () => {
    const members = newMembers();
    const id = members.id('group', 'Second line');
    expect(members.id('group', 'Second line')).toBe(id);
    expect(members.id('channel', 'Phone', { Phone: 5 })).toBe(5);
    expect(members.take()).toEqual([
      { type: 'group', id, name: 'Second line', updated_at: 0 },
      { type: 'channel', id: 5, name: 'Phone', updated_at: 0 },
    ]);
    expect(members.take()).toEqual([]);
  });

  it('refuse a name that is too long', () => {
    expect(() => newMembers().id('agent', 'x'.repeat(256))).toThrow('agent: longer than 255 characters');
  });
});
