import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toFault } from '../../../infra/cli/explain.ts';
import { openProgress } from '../../../infra/cli/progress.ts';
import { createLog } from '../../../lib/log.ts';
import { readSettings } from '../../../lib/settings.ts';
import { printable, withoutPasswords } from '../../../lib/text.ts';
import { startBucketService } from '../../support/service/bucket-service.ts';
import { command } from '../../support/service/command.ts';
import { withFolder } from '../../support/service/program.ts';
import { byPerson } from '../../support/service/service.ts';

const CLI = new URL('../../../infra/cli/', import.meta.url);

// The beginning of a command to a terminal in its two forms, a bell, a deletion, a return, and a turn of the direction.
const COMMANDS = ['\u001b]0;title\u0007', '\u009b2J', '\u0007', '\u007f', 'a\rb', '\u202e', '\u2028'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What moves the cursor for the bar. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const OURS = /\r?\u001b(?:[78]|\[[?\d;]*[A-Za-z])/g;

const uploads = startBucketService();

const screen = (lines: string[]) => ({ isTTY: false, write: (text: string) => lines.push(text) > 0 });

/** Each way from a text of somebody else to a terminal or a log. */
const DOORS: Readonly<Record<string, (text: string) => Promise<string>>> = {
  'a log line': async (text) => {
    const lines: string[] = [];
    createLog('info', (line) => lines.push(line))('info', text, { path: text, deep: { text } });
    return lines.join('');
  },
  'the error of an option': async (text) => (await command(['site', 'list', `--${text}`])).err,
  'the error of a command': async (text) => (await command([text])).err,
  'the error of a place': async (text) => (await command(['site', 'list', '--table', 'x', '--endpoint', text])).err,
  'the lines of progress': async (text) => {
    const lines: string[] = [];
    openProgress(screen(lines) as never, () => 0).say(text);
    return lines.join('').replace(/\n$/, '');
  },
  'the bar and the lines of progress on a terminal': async (text) => {
    const lines: string[] = [];
    const terminal = {
      ...screen(lines),
      isTTY: true,
      columns: 200,
      on: () => undefined,
      removeListener: () => undefined,
    };
    const progress = openProgress(terminal as never, () => 0);
    progress.show({ doing: `reading ${text}`, done: 1, total: 2, events: 5 });
    progress.say(text);
    progress.show({ doing: `reading ${text}`, done: 2, total: 2, events: 5 });
    progress.end();
    expect(lines.join('')).toContain('reading');
    return lines.join('').replaceAll(OURS, '');
  },
  'the name of a file that is imported': (text) =>
    withFolder(async (folder) => {
      const [place, name] = [['--data-dir', join(folder, 'data')], `data${text}.csv`];
      await writeFile(join(folder, name), 'Ticket,Created at,Status\n1,2026-01-05 10:00:00,Gamma\n');
      await command(['site', 'add', 'acme', ...place]);
      const file = ['import', join(folder, name), '--site', 'acme', ...place];
      const said = [await command(file), await command([...file, '--json']), await command([...file, '--yes'])];
      return said.map(({ out, err }) => out + err).join('');
    }),
  'the name of a file that is uploaded': async (text) => {
    const { ask } = await uploads;
    const path = `/api/v2/imports?name=${encodeURIComponent(`data${text}.csv`)}`;
    const { status, body } = await ask('POST', path, byPerson());
    expect(status).toBe(201);
    return body.name;
  },
  'the names of files that browsers save': async (text) => {
    const { ask } = (await uploads).service;
    const time = { last: 1, unit: 'week', window_size: 'none' };
    const body = { fields: ['case_creates'], time, note: text };
    const headers = { ...byPerson().headers, Accept: 'text/csv' };
    await ask('PATCH', '/api/v2/site', { ...byPerson(), body: { name: `Acme${text}` } });
    const reply = await ask('POST', '/api/v2/insights3/reports', { as: null, headers, body });
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="report-[\d-]+\.csv"$/);
    return reply.headers['content-disposition'] ?? '';
  },
  'the error of a setting': async (text) => {
    try {
      return JSON.stringify(readSettings({}, { LOG_LEVEL: text }));
    } catch (error) {
      return String(error);
    }
  },
  'a table of the command line and its JSON': (text) =>
    withFolder(async (folder) => {
      const records = join(folder, 'records.ndjson');
      const place = ['--data-dir', join(folder, 'data')];
      await writeFile(
        records,
        `${JSON.stringify({ type: 'agent', id: 7, name: `Ann${text}` })}\n{"type":${JSON.stringify(text)}}\n`,
      );
      await command(['site', 'add', 'acme', ...place]);
      const all = [
        await command(['import', records, '--site', 'acme', '--format', 'ndjson', ...place]),
        await command(['members', 'agent', '--site', 'acme', ...place]),
        await command(['members', 'agent', '--site', 'acme', '--json', ...place]),
        await command(['site', 'export', 'acme', ...place]),
      ];
      expect(JSON.parse(all[3]?.out.split('\n').find((line) => line.includes('Ann')) ?? '{}').name).toBe(`Ann${text}`);
      return all.map(({ out, err }) => out + err).join('');
    }),
};

describe.each(Object.entries(DOORS))('by %s', (_, say) => {
  it.each(COMMANDS.map((text) => ({ shown: JSON.stringify(printable(text)), text })))(
    'no command reaches a terminal: $shown',
    async ({ text }) => {
      const said = await say(text);
      expect(said).not.toBe('');
      expect(said).not.toMatch(RAW);
    },
  );
});

/** The files of the command line that write something as it is, with what it is. */
const WRITTEN_AS_IS: Readonly<Record<string, string>> = {
  'completion.ts': 'its own words',
  'import/work-on-import.ts': 'lines of a log, which are printable',
  'password.ts': 'its own prompts',
  'progress.ts': 'steps, which are described as printable',
  'report/workbook.ts': 'a file',
};

describe('the command line', () => {
  it('writes nothing to a terminal that is not made printable there, save in these files', () => {
    const files = readdirSync(CLI, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const isRaw = (line: string) =>
      /(?:stdout|stderr|terminal|stream|output|screen)\.(?:write|question)\(/.test(line) &&
      !line.includes('printable(');
    const raw = files.filter((name) => readFileSync(new URL(name, CLI), 'utf8').split('\n').some(isRaw));
    expect(raw.sort()).toEqual(Object.keys(WRITTEN_AS_IS).sort());
  });
});

describe('a password in an address', () => {
  const ADDRESSES = [
    'smtp://ann:s3cret@mail.example:587',
    'smtps://ann:s3c@cret@mail.example',
    'https://ann:s3cret@x.example/p',
  ];
  const secretless = (text: string) => expect(text).not.toMatch(/s3c|cret/);

  it.each(ADDRESSES)('is in no log, error or message: %s', async (address) => {
    const lines: string[] = [];
    const error = new Error(`no way to ${address}`, { cause: new Error(`"${address}"`) });
    createLog('info', (line) => lines.push(line))('warn', `to ${address}`, {
      address,
      error: error.message,
      stack: error.stack,
    });
    secretless(lines.join(''));
    expect(lines.join('')).toContain('***@');
    secretless(toFault(error).message);
    secretless((await command(['site', 'list', '--table', 'x', '--endpoint', `not${address} `])).err);
    secretless((await command([address])).err);
  });

  it.each(['ann:s3cret@mail.example', 'http://ann:s3 cret@mail.example', 'smtp:ann:s3cret@', ...ADDRESSES])(
    'is not in the error of a setting: %s',
    (address) => {
      for (const name of ['PORT', 'LOG_LEVEL', 'SMTP_URL', 'PUBLIC_URL']) {
        let said = '';
        try {
          readSettings({}, { [name]: address });
        } catch (error) {
          said = String(error);
        }
        secretless(said);
        if (name === 'PORT') expect(said).toContain('The setting PORT cannot be used');
      }
    },
  );

  it('leaves other texts as they are', () => {
    for (const text of ['a@b.example', 'https://x.example/a@b', 'see https://x.example, or ann@x.example', 'a:b@c'])
      expect(withoutPasswords(text)).toBe(text);
  });
});
