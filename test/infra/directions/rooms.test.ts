import { readFile } from 'node:fs/promises';
import { isDirection, overrides } from '../../../infra/directions/rooms.ts';

it('holds the directions between rooms in biome.json, as `npm run directions` writes them', async () => {
  const config = JSON.parse(await readFile('biome.json', 'utf8'));
  expect(config.overrides.filter(isDirection)).toEqual(JSON.parse(JSON.stringify(overrides())));
});
