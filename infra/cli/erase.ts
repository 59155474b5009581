import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import * as z from 'zod';
import { type ErasePlan, type Erasing, planErasure } from '../../lib/import/erasing/erase.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { commandTable } from './audited.ts';
import { type Outcome, onTable, siteOption, withExample } from './command.ts';
import { deleteBytes, requireNoWriter } from './delete-now.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { counted } from './import/outcome.ts';
import { requireSite } from './site.ts';

const shape = {
  site: z.string(),
  agent: z.string().optional(),
  company: z.string().optional(),
  case: z.string().optional(),
  user: z.string().optional(),
  yes: z.boolean().optional(),
  now: z.boolean().optional(),
};
type EraseOptions = z.infer<z.ZodObject<typeof shape>>;

/** `erase` (docs/import.md, Erasing a person). */
export function eraseCommand(): Command {
  const command = siteOption(new Command('erase'))
    .description('erase a person: names, logins and custom-field values go, and no later import brings them back')
    .option('--agent <id>', 'an agent, whose counts stay as those of "erased"')
    .option('--company <id>', 'a company, whose cases stay without their custom-field values')
    .option('--case <id>', 'a case with all its events')
    .option('--user <login>', 'a user, and the agent with that login')
    .option('--yes', 'do it; without --yes the command only says what would be erased')
    .option('--now', 'also delete the bytes at once, instead of after the next compaction');
  return onTable(withExample(command, 'erase --site acme --agent 42 --yes'), shape, doErase);
}

async function doErase(place: Place, options: EraseOptions): Promise<Outcome> {
  const erasing = erasingOf(options);
  const site = await requireSite(place.table, options.site, 2);
  const { table } = place;
  const context = { table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
  const plan = await planErasure(context, erasing);
  const what = `${erasing.kind} ${erasing.id}`;
  if (plan === undefined) throw new Fault(`The site ${site.name} has no ${what}: nothing was erased.`);
  const json = { site: site.name, [erasing.kind]: erasing.id, ...countsOf(plan) };
  if (!options.yes) {
    const text = `${described(plan)} Add --yes to erase ${what}: this cannot be undone.`;
    return { text, json: { ...json, erased: false }, exit: 1 };
  }
  await requireNoWriter(context);
  const audited = commandTable(table, site.name, { action: 'delete', resource: `erasures/${erasing.kind}` });
  const { cases, named } = await eraseEverywhere(place, { ...context, table: audited.table }, plan);
  await audited.counted(cases);
  const kept = await deleteBytes(place, context, options.now);
  const still =
    named.length === 0 ? '' : ` People wrote the name there, which only people can change: ${named.join('; ')}.`;
  const text = `Erased ${what}: ${counted(cases, 'case')} changed. ${kept}${still}`;
  return { text, json: { ...json, cases, named, erased: true } };
}

const countsOf = ({ found: scope, logins }: ErasePlan) => ({
  cases: scope.cases,
  events: scope.events,
  values: scope.values.length,
  logins: logins.length,
});

function described({ found: scope, logins, members }: ErasePlan): string {
  const parts = [
    `${counted(scope.events, 'event')} of ${counted(scope.cases, 'case')} would be removed or lose a name`,
    ...(scope.values.length > 0 ? [`${counted(scope.values.length, 'custom-field value')} would be removed`] : []),
    ...(logins.length > 0 ? [`${counted(logins.length, 'login')} with password and tokens would be removed`] : []),
    ...members.map(({ kind, id, standIn }) =>
      id === standIn
        ? `the name of ${kind} ${id} would be removed`
        : `${kind} ${id} would get another id and lose its name`,
    ),
  ];
  return `${parts.join('; ')}.`;
}

/** The person or case to erase. Throws a `Fault` unless exactly one option names it. */
function erasingOf({ agent, company, case: key, user }: EraseOptions): Erasing {
  const selectors = [agent, company, key, user].filter((option) => option !== undefined);
  if (selectors.length !== 1) throw new Fault('Name one of --agent, --company, --case or --user.', 2);
  if (agent !== undefined) return { kind: 'agent', id: memberId(agent, '--agent') };
  if (company !== undefined) return { kind: 'company', id: memberId(company, '--company') };
  if (key !== undefined && key !== '') return { kind: 'case', id: key };
  if (user !== undefined && user.trim() !== '') return { kind: 'user', id: user };
  throw new Fault('The value of the option is empty.', 2);
}

function memberId(text: string, option: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id) && id > 0) return id;
  throw new Fault(`${option} takes the id of a member, a positive whole number: meta of reports lists them.`, 2);
}
