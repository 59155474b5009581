import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The keys of users, tokens and sites; all changes of who may do what pass `lib/access/authority.ts`. */
const KEYS = 'keys\\.(tokens?|users?|site|siteEntry|host|defaultSite)\\b';
const NAMING = new RegExp(`\\b${KEYS}`);
/** What writes one of them, or a consent: an item with such a key, a delete of it, or the functions that make such writes. */
const WRITERS = new RegExp(
  `\\b(userWrite|tokenWrites|siteWrites|deleteTokensOf|tokenItem)\\b|\\.\\.\\.${KEYS}|\\b(put|delete)\\b[^;\\n]*\\b${KEYS}|\\bagreed(:(?! z\\.)| = (?!\\{\\}))`,
);

/** Who writes them, and why that is no change of who may do what past the gate. */
const WRITING: Readonly<Record<string, string>> = {
  'lib/access/authority.ts': 'the gate',
  'lib/access/users.ts': 'declares the write of a user',
  'lib/access/tokens.ts': 'declares the writes of tokens; notes the day of a use',
  'lib/access/sites.ts': 'declares the writes of a site',
  'lib/account/user-write-routes.ts': 'deletes tokens that a removal through the gate has ended',
  'lib/import/erasing/erase.ts': 'deletes tokens that a removal through the gate has ended',
  'lib/uploads/routes.ts': 'keeps a consent that the gate has let through',
  'lib/uploads/forget.ts': 'drops consents with the answers of somebody who is erased',
};

/** Who reads them. */
const READING = [
  'functions/ingest.ts',
  'infra/cli/site.ts',
  'infra/stack/functions.ts',
  'lib/access/last-administrator.ts',
  'lib/access/remove-site.ts', // and deletes the settings of a site that the gate let go
  'lib/deliver/recipients.ts',
  'lib/deliver/shared/shared-boards.ts', // whether the maker of a link is there
  'lib/http/authenticate.ts',
  'lib/http/caller.ts',
  'lib/http/open-paths.ts',
  'lib/import/erasing/named.ts',
  'lib/insights/saved/board-link.ts', // the same
  'lib/store/copy.ts',
  'lib/store/expiry.ts',
];

const files = ['lib', 'functions', 'infra'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
);
const having = (pattern: RegExp): readonly string[] =>
  files.filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(file, 'utf8'))).sort();

it('all that writes users, tokens, sites and consents is the one gate', () => {
  expect(having(WRITERS)).toEqual(Object.keys(WRITING).sort());
});

it('each other file that names their keys is told as one that reads', () => {
  expect(having(NAMING).filter((file) => WRITING[file] === undefined)).toEqual([...READING].sort());
});

it.each([
  'await table.put({ ...keys.user(site, login), role })',
  'await table.delete(keys.user(site.name, login));',
  'const writes = [{ delete: keys.token(site, name) }];',
  'await table.batchWrite(logins.map((login) => ({ delete: keys.user(site, login) })));',
  'await table.transact([userWrite(site, user, false)]);',
  'const next = { ...given, agreed: { [text]: actor } };',
])('a way to write one of them is seen: %s', (line) => {
  expect(line).toMatch(WRITERS);
});
