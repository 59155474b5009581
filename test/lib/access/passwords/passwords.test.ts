import { scryptSync } from 'node:crypto';
import { hashPassword, passwordFault, verifyPassword } from '../../../../lib/access/passwords/passwords.ts';

const LOGIN = 'ann.miller.of.acme@acme.example';

it.each([
  '123qweasdzxc', // common
  '1QAZ2wsx3edc', // in any case
  'Password1234', // a common word, and digits
  '!!!dragon!!!2024',
  'passwordpassword', // twice
  'monkeymonkey!1',
  'aaaabbbbcccc', // three signs
  LOGIN,
  'Ann.Miller.of.acme', // the login without its host
  'short pass',
  '😀'.repeat(11),
  'x'.repeat(1025),
])('refuses %s with a sentence', (password) => {
  expect(passwordFault(password, LOGIN)).toMatch(/^[A-Z].*\.$/);
});

it.each(['correct horse', 'a good password', 'dragon rides at dawn', 'xK9#mq2Lp0vT'])('takes %s', (password) => {
  expect(passwordFault(password, LOGIN)).toBeUndefined();
});

it('has no NUL, and does not match with one at its end, which scrypt takes for its own padding', async () => {
  const known = await hashPassword('a good password');
  expect(await verifyPassword('a good password', known)).toBe(true);
  expect(await verifyPassword('a good password\0', known)).toBe(false);
  expect(passwordFault('a good password\0', LOGIN)).toBe('A password has no NUL characters.');
});

it('is right in each way to write it, also against a hash of another way', async () => {
  const [one = '', two = ''] = ['NFC', 'NFD'].map((form) => 'pässwörter sind läng'.normalize(form));
  const cost = { N: 1024, r: 8, p: 1 };
  const earlier = (text: string) => ({
    ...{ hash: scryptSync(text, 'salt', 32, cost).toString('base64'), salt: Buffer.from('salt').toString('base64') },
    ...cost,
  });
  for (const stored of [await hashPassword(one), await hashPassword(two), earlier(one), earlier(two)]) {
    for (const sent of [one, two]) expect(await verifyPassword(sent, stored)).toBe(true);
    expect(await verifyPassword('passworter sind lang', stored)).toBe(false);
  }
});
