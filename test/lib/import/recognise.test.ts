import { readFileSync } from 'node:fs';
import { PACKS, parsePack } from '../../../lib/import/packs/pack.ts';
import { recogniseFile, recogniseFolder } from '../../../lib/import/recognise.ts';

const packs = PACKS.map((name) => parsePack(readFileSync(`lib/import/packs/${name}/pack.json`, 'utf8'), name));
const start = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
const formatOf = async (name: string, text: string) => (await recogniseFile(start(name, text), packs))?.format;

describe('a file', () => {
  it.each([
    ['x.ndjson', '\uFEFF{"type":"note","id":1}\n', 'ndjson'],
    ['x', '{"audits":[{"ticket_id":1,"events":[]}]}', 'zendesk'],
    ['x', '[{"ticket_id":1,"child_events":[]}]', 'zendesk'],
    [
      'x',
      '{"type":"STATE"}\n{"type":"RECORD","stream":"users","record":{"id":1,"name":"A","role":"agent"}}',
      'zendesk',
    ],
    ['x.csv', 'Id,Requester,Status,Created at,First reply time in minutes,Tags\n', 'zendesk-tickets-csv'],
    [
      'x.csv',
      'sep=;\n"Ticket ID";Status;Source;"Created time";"Last update time"\n1;2;3;4;5\n',
      'freshdesk-tickets-csv',
    ],
    ['x.csv', 'number\tstate\topened_at\tsys_updated_on\n', 'servicenow-incidents'],
    ['ticket_comment.csv', 'id,ticket_id,user_id,public,created\n', 'fivetran-zendesk'],
    ['other.csv', 'id,ticket_id,user_id,public,created\n', undefined],
    ['x.csv', 'case,at\n1,2\n', undefined],
    ['x', '{"hello":1}', undefined],
    ['x', '', undefined],
  ])('%s with %j is %s', async (name, text, format) => {
    expect(await formatOf(name, text)).toBe(format);
  });

  it('of a folder is recognised with the others', async () => {
    const folder = [
      start('user.csv', 'id,role,name,email\n'),
      start('ticket.csv', 'id,created_at,status,requester_id,via_channel\n'),
    ];
    expect(await recogniseFolder(folder, packs)).toMatchObject({ format: 'fivetran-zendesk' });
    expect(await recogniseFolder([start('user.csv', 'a,b\n'), start('ticket.csv', 'a,b\n')], packs)).toBeUndefined();
    expect(
      await recogniseFolder([start('a.txt', 'x'), start('b.json', '{"ticket_id":1,"events":[]}')], packs),
    ).toMatchObject({ format: 'zendesk' });
  });
});
