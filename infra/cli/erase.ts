import type { Command } from 'commander';
import { type ErasePlan, type Erasing, planErasure } from '../../lib/import/erasing/erase.ts';
import { Fault } from '../fault.ts';
import { commandTable } from './audited.ts';
import { line, NOW, type OptionsOf, type Outcome, yes } from './command.ts';
import { deleteBytes, requireNoWriter } from './delete-now.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { counted } from './import/outcome.ts';
import { onSite, type SitePlace } from './site.ts';

const OPTIONS = {
  agent: line('<id>', 'an agent, whose counts stay as those of "erased"'),
  company: line('<id>', 'a company, whose cases stay without their custom-field values'),
  case: line('<id>', 'a case with all its events'),
  user: line('<login>', 'a user, and the agent with that login'),
  yes: yes('erased'),
  now: NOW,
};
type EraseOptions = OptionsOf<typeof OPTIONS>;

/** `erase` (docs/import.md, Erasing a person). */
export const eraseCommand = (): Command =>
  onSite(
    [
      'erase',
      'erase a person: names, logins and custom-field values go, and no later import brings them back',
      '--site acme --agent 42 --yes',
    ],
    OPTIONS,
    doErase,
    2,
  );

async function doErase(place: SitePlace, options: EraseOptions): Promise<Outcome> {
  const erasing = erasingOf(options);
  const { table, site, context } = place;
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
  const aboutBytes = await deleteBytes(place, context, options.now);
  const still =
    named.length === 0 ? '' : ` People wrote the name there, which only people can change: ${named.join('; ')}.`;
  const text = `Erased ${what}: ${counted(cases, 'case')} changed. ${aboutBytes}${still}`;
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
