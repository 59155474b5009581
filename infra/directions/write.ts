import { readFile, writeFile } from 'node:fs/promises';
import { ownJson } from '../../lib/own-json.ts';
import { isDirection, overrides } from './rooms.ts';

/** `npm run directions`: writes the directions between rooms into biome.json, which must be formatted afterwards. */
const FILE = 'biome.json';
const config = ownJson<{ readonly overrides: readonly unknown[] }>(await readFile(FILE, 'utf8'));
const others = config.overrides.filter((override) => !isDirection(override));
await writeFile(FILE, JSON.stringify({ ...config, overrides: [...others, ...overrides()] }, null, 2));
